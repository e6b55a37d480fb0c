import { beforeEach, describe, expect, it } from 'vitest'
import { pendingOf } from '../src/ref/acts'
import { setLanguage } from '../src/shared/i18n/language'
import type { OutboxItem } from '../src/shared/outbox'
import { levelsPossible, levelsSentence, outcomeOf, scoreText } from '../src/shared/score-words'
import { countTables, tableGroup } from '../src/shared/table-groups'
import { levels, tableOf } from './tables'

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
    expect(scoreText(levels('A+', '9'))).toBe('过A : 9')
    expect(scoreText(levels(null, null, { outcome: 'ew_forfeit' }))).toBe('东西弃权')
    expect(scoreText(levels(null, null, { outcome: 'unplayed' }))).toBe('未打')
  })
})

describe('groups of tables', () => {
  it('take a postponed table out of the open ones, but not out of the finished', () => {
    expect(tableGroup(tableOf({ postponed: '未到' }))).toBe('postponed')
    expect(tableGroup(tableOf({ postponed: '', state: 'disputed' }))).toBe('postponed')
    expect(tableGroup(tableOf({ postponed: '未到', state: 'ruled' }))).toBe('ruled')
  })

  it('are counted', () => {
    const counts = countTables([tableOf(), tableOf({ state: 'disputed' }), tableOf({ state: 'confirmed' }), tableOf()])
    expect(counts).toEqual({ disputed: 1, one_sided: 0, open: 2, postponed: 0, confirmed: 1, ruled: 0 })
  })
})

describe('an act on its way', () => {
  it('waits with its own table only', () => {
    const act = (about: Record<string, unknown>, state: OutboxItem['state'] = 'waiting'): OutboxItem =>
      ({ about, state }) as unknown as OutboxItem
    const items = [act({ round: 1, table: 1 }), act({ round: 2, table: 1 }), act({ round: 1, table: 1 }, 'done')]
    expect(pendingOf(items, tableOf())).toHaveLength(1)
  })
})
