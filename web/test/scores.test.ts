import { beforeEach, describe, expect, it } from 'vitest'
import { needsReason, pendingOf } from '../src/ref/acts'
import { setLanguage } from '../src/shared/i18n/language'
import type { OutboxItem } from '../src/shared/outbox'
import { levelsPossible, levelsSentence, outcomeOf, scoreText, type Score } from '../src/shared/score-words'
import { countTables, tableGroup, type TableView } from '../src/shared/table-groups'

const score = (ns: string | null, ew: string | null, outcome = 'played'): Score => ({ outcome, ns_level: ns, ew_level: ew })
const word = (ns: string, ew: string) => ({ score: score(ns, ew), version: 1, at: 0, late: false })
const entry = { number: 1, name: '', club: '', players: ['甲', '乙'] }

function table(changes: Partial<TableView> = {}): TableView {
  return {
    round: 1,
    table: 3,
    ns: entry,
    ew: entry,
    state: 'open',
    result: null,
    word_ns: null,
    word_ew: null,
    running: null,
    ruling: null,
    locked: false,
    postponed: null,
    extra_minutes: 0,
    version: 1,
    since: 0,
    ...changes,
  }
}

beforeEach(() => setLanguage('zh'))

describe('levels in words', () => {
  it('name the winner, its level and the difference', () => {
    expect(levelsSentence('A+', 'J')).toBe('南北 过A 胜，级差 4')
    expect(levelsSentence('9', '10')).toBe('东西 10 胜，级差 1')
    expect(levelsSentence('K', 'K')).toBe('双方同打到 K，平局')
    setLanguage('en')
    expect(levelsSentence('9', '10')).toBe('E–W win at 10, 1 level ahead')
  })

  it('count 过A as a level of its own, above A', () => {
    expect(outcomeOf('A+', 'A')).toEqual({ winner: 'ns', difference: 1 })
    expect(outcomeOf('2', 'A+')).toEqual({ winner: 'ew', difference: 13 })
  })

  it('cannot both be past A', () => {
    expect(levelsPossible('A+', 'A+')).toBe(false)
    expect(levelsPossible('A', 'A')).toBe(true)
  })

  it('say what happened instead of playing', () => {
    expect(scoreText(score('A+', '9'))).toBe('过A : 9')
    expect(scoreText(score(null, null, 'ew_forfeit'))).toBe('东西弃权')
    expect(scoreText(score(null, null, 'unplayed'))).toBe('未打')
  })
})

describe('groups of tables', () => {
  it('take a postponed table out of the open ones, but not out of the finished', () => {
    expect(tableGroup(table({ postponed: '未到' }))).toBe('postponed')
    expect(tableGroup(table({ postponed: '', state: 'disputed' }))).toBe('postponed')
    expect(tableGroup(table({ postponed: '未到', state: 'ruled' }))).toBe('ruled')
  })

  it('are counted', () => {
    const counts = countTables([table(), table({ state: 'disputed' }), table({ state: 'confirmed' }), table()])
    expect(counts).toEqual({ disputed: 1, one_sided: 0, open: 2, postponed: 0, confirmed: 1, ruled: 0 })
  })
})

describe('a ruling', () => {
  it('needs no reason where nobody said anything else', () => {
    expect(needsReason(table(), score('A', '9'), null)).toBe(false)
    expect(needsReason(table({ word_ns: word('A', '9') }), score('A', '9'), null)).toBe(false)
  })

  it('needs one over a side, over an earlier ruling, and in a settled round', () => {
    expect(needsReason(table({ word_ew: word('A', '8') }), score('A', '9'), null)).toBe(true)
    expect(needsReason(table({ word_ns: word('9', '9') }), score('9', '9'), 'ns')).toBe(true)
    const ruling = { score: score('A', '9'), winner: null, reason: '', actor: 'referee', at: 0 }
    expect(needsReason(table({ ruling }), score('A', '9'), null)).toBe(false)
    expect(needsReason(table({ ruling }), score('K', '9'), null)).toBe(true)
    expect(needsReason(table({ locked: true }), score('A', '9'), null)).toBe(true)
  })

  it('waits with its own table only', () => {
    const act = (about: Record<string, unknown>, state: OutboxItem['state'] = 'waiting'): OutboxItem =>
      ({ about, state }) as unknown as OutboxItem
    const items = [act({ round: 1, table: 3 }), act({ round: 2, table: 3 }), act({ round: 1, table: 3 }, 'done')]
    expect(pendingOf(items, table())).toHaveLength(1)
  })
})
