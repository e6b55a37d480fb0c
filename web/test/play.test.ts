import { beforeEach, describe, expect, it } from 'vitest'
import type { OutboxItem } from '../src/shared/outbox'
import { extended } from '../src/play/known/extended'
import { forgetMe, rememberedMe, rememberMe, describeDevice, type Me } from '../src/play/remembered'
import { baseVersion, callOf, differing, fateOf, isNewer } from '../src/play/sending'
import { agreed, closedBecause, freshness, isEager, situationOf } from '../src/play/situation'
import { pageOfRank } from '../src/play/standings/finding'
import { boards, levels, seated, tableOf, word as said } from './tables'

type Table = NonNullable<Me['table']>

const entry = (number: number) => seated(number, `队${number}`, { players: ['甲', '乙'] })
const played = (ns: string, ew: string) => levels(ns, ew)
const word = (ns: string, ew: string, version = 1) => ({ ...said(played(ns, ew)), version })
const table = (changes: Partial<Table> = {}): Table => tableOf({ round: 2, table: 7, ns: entry(1), ew: entry(2), ...changes })

const scoring = { by: 'levels', laps: false, needs_winner: false, boards: 0, failures_at_a: 'back_to_2', rooms: false, self_forfeit: false }

function me(changes: Partial<Me> = {}): Me {
  return {
    event_id: 'e',
    event_name: '周三夜赛',
    phase: 'open',
    round: 2,
    rounds: 4,
    round_phase: 'playing',
    entry: entry(2),
    player: 0,
    state: 'in',
    checked_in_at: null,
    table: table(),
    tables: [],
    my_side: 'ew',
    bye: false,
    sit_out: false,
    scoring,
    clock: { state: 'running', starts_at: 0, ends_at: 1, paused_left: null, stop_drawing_minutes: 5, version: 1 },
    double_submission: true,
    score_any_time: false,
    may_score: true,
    why_not: null,
    line_up: null,
    rank: null,
    calls: [],
    changes: 0,
    server_time: 0,
    csrf: 'c',
    ...changes,
  }
}

function item(changes: Partial<OutboxItem> = {}): OutboxItem {
  return {
    key: 'k',
    method: 'POST',
    url: '/',
    body: {},
    about: { kind: 'submission', round: 2, table: 7, score: levels('A', '9') },
    createdAt: 1,
    tries: 0,
    notBefore: 0,
    serverAsks: 0,
    state: 'waiting',
    problem: null,
    reply: null,
    finishedAt: null,
    ...changes,
  }
}

const running = { phase: 'running', seconds: 600 } as const

describe('the situation of a player', () => {
  it.each([
    [me(), 'table'],
    [me({ table: null, my_side: null, bye: true }), 'bye'],
    [me({ table: null, my_side: null, sit_out: true }), 'sit_out'],
    [me({ table: null, tables: [table({ room: 'open' }), table({ table: 50007, room: 'closed' })] }), 'room'],
    [me({ table: null, my_side: null }), 'not_seated'],
    [me({ table: null, my_side: null, round: 0, round_phase: 'draft' }), 'not_drawn'],
    [me({ table: null, my_side: null, state: 'withdrawn' }), 'withdrawn'],
    [me({ table: null, my_side: null, state: 'waiting' }), 'waiting_list'],
    [me({ table: null, my_side: null, phase: 'ended' }), 'ended'],
  ])('is read from what the server says (%#)', (given, expected) => {
    expect(situationOf(given)).toBe(expected)
  })
})

describe('both sides have said the same', () => {
  const both = (changes: Partial<Table> = {}): Table =>
    table({ state: 'confirmed', word_ns: word('A', '9'), word_ew: word('A', '9'), ...changes })

  it('and then, and only then, nobody may give up', () => {
    expect(agreed([both()])).toBe(true)
    expect(agreed([both({ word_ew: null })])).toBe(false)
    expect(agreed([both({ state: 'disputed', word_ew: word('A', '8') })])).toBe(false)
    expect(agreed([table()])).toBe(false)
  })

  it('in both rooms of a match', () => {
    expect(agreed([both({ room: 'open' }), both({ room: 'closed' })])).toBe(true)
    expect(agreed([both({ room: 'open' }), table({ room: 'closed' })])).toBe(false)
  })
})

describe('why no score can be entered', () => {
  const over = (seconds: number) => ({ phase: 'over', seconds }) as const

  it('follows the clock', () => {
    expect(closedBecause(me(), running)).toBeNull()
    expect(closedBecause(me(), { phase: 'paused', seconds: 10 })).toBeNull()
    expect(closedBecause(me(), { phase: 'idle', seconds: 0 })).toBe('not_started')
    expect(closedBecause(me(), { phase: 'countdown', seconds: 10 })).toBe('countdown')
    expect(closedBecause(me(), over(1))).toBe('time_over')
  })

  it('gives a table its extra minutes to the second', () => {
    const extended = me({ table: table({ extra_minutes: 5 }) })
    expect(closedBecause(extended, over(300))).toBeNull()
    expect(closedBecause(extended, over(301))).toBe('time_over')
  })

  it('forgets the clock when scores are taken at any time, but not a ruling or a settled round', () => {
    expect(closedBecause(me({ score_any_time: true }), over(9999))).toBeNull()
    const ruling = { score: played('A', '9'), winner: null, reason: '', actor: 'referee', at: 0, self_forfeit: false }
    expect(closedBecause(me({ score_any_time: true, table: table({ ruling }) }), running)).toBe('ruled')
    expect(closedBecause(me({ score_any_time: true, round_phase: 'settled' }), running)).toBe('settled')
    expect(closedBecause(me({ phase: 'ended' }), running)).toBe('event_ended')
  })
})

describe('how often the own table is asked about', () => {
  const sent = me({ table: table({ state: 'one_sided', word_ew: word('A', '9') }) })

  it('is within three seconds while an answer is awaited, for some minutes', () => {
    expect(freshness(sent, running, 0)).toBeLessThanOrEqual(3000)
    expect(freshness(sent, running, 100)).toBeLessThanOrEqual(3000)
    expect(freshness(sent, running, 200)).toBe(10_000)
    const called = me({ calls: [{ side: 'ew' } as Me['calls'][number]] })
    expect(freshness(called, running, 100)).toBeLessThanOrEqual(3000)
  })

  it('is looked at once when somebody touches the phone, and otherwise left to the pulse', () => {
    for (const state of ['open', 'confirmed'] as const) {
      expect(freshness(me({ table: table({ state }) }), running, 0)).toBe(10_000)
      expect(freshness(me({ table: table({ state }) }), running, 1)).toBeNull()
    }
  })

  it('is left to the pulse where nothing can be scored', () => {
    expect(freshness(me(), { phase: 'idle', seconds: 0 }, 0)).toBeNull()
    expect(freshness(me({ table: null }), running, 0)).toBeNull()
    expect(freshness(me({ round_phase: 'settled' }), running, 0)).toBeNull()
  })
})

describe('the fate of a result', () => {
  it('tells kept on the phone, submitted, confirmed and disputed apart', () => {
    expect(fateOf(me(), [])).toBe('none')
    expect(fateOf(me(), [item()])).toBe('saved')
    expect(fateOf(me({ table: table({ state: 'one_sided', word_ew: word('A', '9') }) }), [])).toBe('submitted')
    expect(fateOf(me({ table: table({ state: 'confirmed', word_ew: word('A', '9') }) }), [])).toBe('confirmed')
    const both = { state: 'disputed', word_ew: word('A', '9'), word_ns: word('A', '8') }
    expect(fateOf(me({ table: table(both) }), [])).toBe('disputed')
  })

  it('stays "none" for who has said nothing while the others wait', () => {
    expect(fateOf(me({ table: table({ state: 'one_sided', word_ns: word('A', '9') }) }), [])).toBe('none')
  })

  it('shows a refusal until it is put away, and never one of another table', () => {
    expect(fateOf(me(), [item({ state: 'rejected' })])).toBe('refused')
    expect(fateOf(me(), [item({ state: 'rejected', about: { kind: 'submission', round: 1, table: 7 } })])).toBe('none')
    expect(fateOf(me({ table: table({ state: 'ruled' }) }), [item({ state: 'rejected' })])).toBe('ruled')
  })

  it('counts own submissions under way into the version the next one answers to', () => {
    const sent = me({ table: table({ word_ew: word('A', '9', 3) }) })
    expect(baseVersion(me(), [])).toBe(0)
    expect(baseVersion(sent, [])).toBe(3)
    expect(baseVersion(sent, [item(), item({ key: 'l' }), item({ key: 'm', state: 'done' })])).toBe(5)
  })

  it('names the level on which two words differ', () => {
    expect(differing(played('A', '9'), played('A', '8'))).toEqual({ ns: false, ew: true, winner: false, boards: [] })
    expect(differing(played('A', '9'), played('A', '9'))).toEqual({ ns: false, ew: false, winner: false, boards: [] })
    expect(differing(levels('8', '8', { winner: 'ns' }), levels('8', '8', { winner: 'ew' }))).toMatchObject({ winner: true })
    expect(differing(boards(3, 1, 2), boards(3, -1, 2)).boards).toEqual([2])
  })
})

describe('an answer about the own table', () => {
  it('is news only with a newer word or ruling, whatever room it is about', () => {
    const known = me({ tables: [table(), table({ table: 50007, room: 'closed', word_ew: word('A', '9', 2) })] })
    expect(isNewer(known, table({ word_ns: word('A', '9') }))).toBe(true)
    expect(isNewer(known, table({ table: 50007, word_ew: word('A', '9', 2) }))).toBe(false)
    expect(isNewer(known, table({ table: 50007, word_ew: word('A', '9', 1), version: 5 }))).toBe(false)
    expect(isNewer(known, table({ version: 2 }))).toBe(true)
    expect(isNewer(known, table({ table: 8, version: 9 }))).toBe(false)
  })
})

describe('a call for the referee', () => {
  const call = (changes: object = {}) =>
    ({ call: 'c1', kind: 'call', message: '', round: 2, table: 7, match: 7, room: null, side: 'ew', entry: 2, name: '', at: 1, taken_at: null, taken_by: null, taken_name: null, place: 3, ...changes })
  const queued = (state: OutboxItem['state']) => item({ state, about: { kind: 'call', call: 'call', message: '对方没到', round: 2, table: 7 } })

  it('is said to be on the phone until the server has it', () => {
    expect(callOf(me(), [])).toBeNull()
    expect(callOf(me(), [queued('waiting')])).toMatchObject({ call: null, message: '对方没到' })
    expect(callOf(me({ calls: [call()] }), [queued('done')])).toMatchObject({ call: { place: 3 }, item: null })
    expect(callOf(me(), [queued('done')])).toBeNull()
    expect(callOf(me(), [queued('rejected')])?.item?.state).toBe('rejected')
  })

  it('is that of our side, also when my partner made it, never the opponents’', () => {
    expect(callOf(me({ calls: [call({ entry: 9 })] }), [])?.call?.call).toBe('c1')
    expect(callOf(me({ calls: [call({ entry: 9, side: 'ns' })] }), [])).toBeNull()
    expect(callOf(me({ calls: [call({ round: 1, table: 3, side: 'ns', kind: 'correction' })] }), [])?.kind).toBe('correction')
  })

  it('is gone as soon as it is taken back, before the server has heard of it', () => {
    expect(callOf(me({ calls: [call()] }), [item({ about: { kind: 'withdrawal', call: 'c1' } })])).toBeNull()
    expect(callOf(me({ calls: [call()] }), [item({ state: 'rejected', about: { kind: 'withdrawal', call: 'c1' } })])).not.toBeNull()
  })
})

describe('what a phone remembers', () => {
  beforeEach(() => localStorage.clear())

  it('is kept for its own event until somebody says "not me"', () => {
    rememberMe('e', me(), 42)
    expect(rememberedMe('e')?.at).toBe(42)
    expect(rememberedMe('other')).toBeNull()
    forgetMe('e')
    expect(rememberedMe('e')).toBeNull()
  })

  it('survives rubbish in the storage', () => {
    localStorage.setItem('guanjun:me:e', '{')
    expect(rememberedMe('e')).toBeNull()
    localStorage.setItem('guanjun:me:e', '7')
    expect(rememberedMe('e')).toBeNull()
  })

  it('names a device in two words', () => {
    const wechat = 'Mozilla/5.0 (Linux; Android 12) AppleWebKit/537 Chrome/107 Mobile Safari/537 MicroMessenger/8.0'
    expect(describeDevice(wechat)).toBe('Android · WeChat')
    expect(describeDevice('curl')).toBe('')
  })
})

describe('the page of a rank', () => {
  it('holds 200 rows', () => {
    expect([1, 200, 201, 400, 401].map(pageOfRank)).toEqual([1, 1, 2, 2, 3])
  })
})

describe('a phone looks at the pulse often', () => {
  it.each([
    ['countdown', 10, true],
    ['running', 1200, false],
    ['running', 100, true],
    ['stop_drawing', 100, true],
    ['stop_drawing', 200, false],
    ['over', 20, true],
    ['over', 120, false],
    ['paused', 100, false],
    ['idle', 0, false],
  ] as const)('in %s at %i s: %s', (phase, seconds, expected) => {
    expect(isEager({ phase, seconds })).toBe(expected)
  })
})

describe('the clock of a table that was given more time', () => {
  it('counts the extra minutes, and tells their end like the end of the round', () => {
    const over = (seconds: number) => extended({ phase: 'over', seconds }, 10, 5)
    expect(over(24)).toEqual({ phase: 'running', seconds: 576 })
    expect(over(301)).toEqual({ phase: 'stop_drawing', seconds: 299 })
    expect(over(606)).toEqual({ phase: 'over', seconds: 6 })
    expect(extended({ phase: 'stop_drawing', seconds: 60 }, 10, 5)).toEqual({ phase: 'running', seconds: 660 })
    expect(extended({ phase: 'paused', seconds: 60 }, 10, 5)).toEqual({ phase: 'paused', seconds: 660 })
  })

  it('leaves a clock alone that does not run, and one of a table without extra time', () => {
    for (const phase of ['idle', 'countdown', 'ended'] as const) expect(extended({ phase, seconds: 9 }, 10, 5)).toEqual({ phase, seconds: 9 })
    expect(extended({ phase: 'over', seconds: 9 }, 0, 5)).toEqual({ phase: 'over', seconds: 9 })
  })
})
