import { beforeEach, describe, expect, it } from 'vitest'
import { setLanguage } from '../src/shared/i18n/language'
import { matchesOf } from '../src/shared/officials/matches'
import { adjustmentText, parseAmount } from '../src/shared/officials/penalties'
import { faultOf, finishedScore, needsReason, rulingBody, scoreSoFar } from '../src/shared/officials/ruling-score'
import { cardText, resultText, tableName, wordRows } from '../src/shared/officials/table-words'
import { isUnfinished } from '../src/shared/table-groups'
import { boards, levels, scoringRules, tableOf, toPlay, word } from './tables'

beforeEach(() => setLanguage('zh'))

describe('a ruling', () => {
  it('needs no reason where nobody said anything else', () => {
    expect(needsReason(tableOf(), levels('A', '9'), null)).toBe(false)
    expect(needsReason(tableOf({ word_ns: word(levels('A', '9')) }), levels('A', '9'), null)).toBe(false)
    const behind = { ...levels('A', '9'), boards: boards(3, 1).boards }
    expect(needsReason(tableOf({ word_ns: word(behind) }), levels('A', '9'), null)).toBe(false)
  })

  it('needs one over a side, over an earlier ruling, and in a settled round', () => {
    expect(needsReason(tableOf({ word_ew: word(levels('A', '8')) }), levels('A', '9'), null)).toBe(true)
    expect(needsReason(tableOf({ word_ns: word(levels('9', '9')) }), levels('9', '9', { winner: 'ns' }), null)).toBe(true)
    expect(needsReason(tableOf({ word_ns: word(boards(3, -1)) }), boards(3, 1), null)).toBe(true)
    expect(needsReason(tableOf({ word_ns: word(levels('9', '9')) }), levels(null, null, { outcome: 'ns_forfeit' }), null)).toBe(true)
    const ruling = { score: levels('A', '9'), winner: null, reason: '', actor: 'referee', at: 0, self_forfeit: false }
    expect(needsReason(tableOf({ ruling }), levels('A', '9'), null)).toBe(false)
    expect(needsReason(tableOf({ ruling }), levels('K', '9'), null)).toBe(true)
    expect(needsReason(tableOf({ locked: true }), levels('A', '9'), null)).toBe(true)
  })

  it('needs one to give up a match of which the other room has said something', () => {
    const open = tableOf({ table: 3, match: 3, room: 'open' })
    const closed = tableOf({ table: 50003, match: 3, room: 'closed', word_ns: word(boards(3, -1)) })
    expect(needsReason(open, levels(null, null, { outcome: 'ew_forfeit' }), closed)).toBe(true)
    expect(needsReason(open, boards(3, 1), closed)).toBe(false)
    const copied = { score: levels(null, null, { outcome: 'ew_forfeit' }), winner: null, reason: '', actor: 'referee', at: 0, self_forfeit: false }
    expect(needsReason(open, levels(null, null, { outcome: 'ew_forfeit' }), { ...closed, word_ns: null, ruling: copied })).toBe(false)
  })

  it('says what is missing by the kind of event', () => {
    const fault = (score: Parameters<typeof faultOf>[0], rules = {}, table = tableOf()): string => faultOf(score, table, scoringRules(rules))
    expect(fault(levels('A', null))).toBe('请选双方级数')
    expect(fault(levels('A+', 'A+'))).toBe('双方不可能都过 A')
    expect(fault(levels('A+', 'A+', { ew_lap: 2 }), { laps: true })).toBe('')
    expect(fault(levels('8', '8'))).toBe('')
    expect(fault(levels('8', '8'), { needs_winner: true })).toContain('同级须判出胜方')
    expect(fault(levels('8', '8', { winner: 'ew' }), { needs_winner: true })).toBe('')
    expect(fault(levels(null, null, { outcome: 'double_forfeit' }), { needs_winner: true })).toBe('')
    const duplicate = tableOf({ to_play: toPlay(3, 4, 5) })
    expect(fault(boards(), { by: 'boards' }, duplicate)).toBe('还差第 3、4、5 副')
    expect(fault({ ...boards(), boards: [{ board: 4, result: 1 }] }, { by: 'boards' }, duplicate)).toBe('还差第 3、5 副')
  })

  it('begins with what nobody disputes', () => {
    const so = (ns: Parameters<typeof word>[0], ew: Parameters<typeof word>[0]) => scoreSoFar(tableOf({ word_ns: word(ns), word_ew: word(ew) }))
    expect(so(levels('A', '9'), levels('A', '8'))).toEqual(levels('A', null))
    expect(so(boards(3, -1, 2), boards(3, 1, 2)).boards).toEqual([{ board: 1, result: 3 }, { board: 3, result: 2 }])
    expect(so(levels('A', '9'), levels(null, null, { outcome: 'ns_forfeit' }))).toEqual(levels(null, null))
    expect(scoreSoFar(tableOf({ result: levels('K', '9'), word_ns: word(levels('A', '8')) }))).toEqual(levels('K', '9'))
  })

  it('sends what the outcome and the kind have, nothing else', () => {
    const typed = { ...levels('A', '9', { ns_lap: 2 }), boards: boards(3).boards }
    expect(finishedScore(typed, scoringRules())).toMatchObject({ ns_level: 'A', ns_lap: 1 })
    expect(finishedScore(typed, scoringRules({ laps: true })).ns_lap).toBe(2)
    expect(finishedScore(typed, scoringRules({ by: 'boards' }))).toEqual(boards(3))
    expect(finishedScore({ ...typed, outcome: 'unplayed' }, scoringRules())).toEqual(levels(null, null, { outcome: 'unplayed' }))
    expect(rulingBody({ score: levels('A', '9'), reason: '漏记' })).toEqual({ ...levels('A', '9'), reason: '漏记' })
  })
})

describe('both words beside each other', () => {
  const cells = (table: Parameters<typeof wordRows>[0], byBoards = false) => wordRows(table, byBoards).map((row) => [row.label, row.ns, row.ew, row.differs])

  it('mark the level on which the sides differ', () => {
    const table = tableOf({ word_ns: word(levels('A', '9')), word_ew: word(levels('A', '8')) })
    expect(cells(table)).toEqual([['南北', 'A', 'A', false], ['东西', '9', '8', true]])
    expect(cells(tableOf({ word_ns: word(levels('A', '9')) }))).toEqual([['南北', 'A', '–', false], ['东西', '9', '–', false]])
  })

  it('show the named winner, and of the boards behind levels those that differ', () => {
    const ns = { ...levels('9', '9', { winner: 'ns' }), boards: boards(3, 1, 2).boards }
    const ew = { ...levels('9', '9', { winner: 'ew' }), boards: boards(3, -1, 2).boards }
    const rows = cells(tableOf({ word_ns: word(ns), word_ew: word(ew) }))
    expect(rows.slice(2)).toEqual([['胜方', '南北', '东西', true], ['第 2 副', '+1', '−1', true]])
  })

  it('are board by board where boards are scored, with those that nobody has filled in', () => {
    const table = tableOf({ to_play: toPlay(1, 2, 3), word_ns: word(boards(3, 1)), word_ew: word(boards(3, -1)) })
    expect(cells(table, true)).toEqual([['1', '+3', '+3', false], ['2', '+1', '−1', true], ['3', '–', '–', false]])
  })

  it('are one line where a side says that nobody played', () => {
    const table = tableOf({ word_ns: word(levels('A', '9')), word_ew: word(levels(null, null, { outcome: 'ns_forfeit' })) })
    expect(cells(table)).toEqual([['结果', 'A : 9', '南北弃权', true]])
  })
})

describe('a table in words', () => {
  it('has its room, and its teams where they sit on both sides', () => {
    const closed = tableOf({ table: 50_003, match: 3, room: 'closed' })
    expect(tableName(closed)).toBe('3 桌 闭室')
    expect(tableName(tableOf({ table: 3 }))).toBe('3 桌')
    const forfeit = levels(null, null, { outcome: 'ns_forfeit' })
    expect(resultText(closed, forfeit)).toBe('甲队弃权')
    expect(resultText(tableOf(), forfeit)).toBe('南北弃权')
  })

  it('shows on its card what counts, else what is in question, else what is being entered', () => {
    const running = { score: levels('5', '3'), side: 'ns', at: 0 }
    expect(cardText(tableOf({ running }))).toBe('进行中 5 : 3')
    expect(cardText(tableOf({ running, word_ew: word(levels('A', '9')) }))).toBe('A : 9')
    expect(cardText(tableOf({ word_ns: word(levels('A', '8')), word_ew: word(levels('A', '9')) }))).toBe('A : 8 ≠ A : 9')
    expect(cardText(tableOf({ result: levels('K', '9'), word_ns: word(levels('A', '8')) }))).toBe('K : 9')
  })

  it('keeps its round open until it is postponed or has a result', () => {
    expect(isUnfinished(tableOf({ state: 'disputed' }))).toBe(true)
    expect(isUnfinished(tableOf({ state: 'disputed', postponed: '停电' }))).toBe(false)
    expect(isUnfinished(tableOf({ state: 'ruled' }))).toBe(false)
  })
})

describe('the grid', () => {
  it('puts the rooms of a match beside each other, open before closed', () => {
    const tables = [
      tableOf({ table: 1, room: 'open' }), tableOf({ table: 2, room: 'open' }),
      tableOf({ table: 50_001, match: 1, room: 'closed' }), tableOf({ table: 50_002, match: 2, room: 'closed' }),
    ]
    expect(matchesOf(tables, 'number').map((match) => match.tables.map((table) => table.table))).toEqual([[1, 50_001], [2, 50_002]])
  })

  it('sorts by age within what needs somebody most', () => {
    const tables = [
      tableOf({ table: 1, state: 'confirmed', since: 1 }), tableOf({ table: 2, state: 'one_sided', since: 9 }),
      tableOf({ table: 3, state: 'disputed', since: 8 }), tableOf({ table: 4, state: 'one_sided', since: 5 }),
    ]
    expect(matchesOf(tables, 'age').map((match) => match.match)).toEqual([3, 4, 2, 1])
  })
})

describe('a penalty', () => {
  it.each([['1', 1], ['0.5', 0.5], ['1,5', 1.5], ['２', 2], ['1000', 1000]])('reads %s', (typed, amount) => expect(parseAmount(typed)).toBe(amount))

  it.each(['', '0', '-1', '0.3', '1000.5', '1001', 'x', '1e2'])('refuses %j', (typed) => expect(parseAmount(typed)).toBeNull())

  it('is said with its criterion in the language of the page', () => {
    const criteria = [{ code: 'match_points', zh: '场分', en: 'Match points' }]
    const one = { name: '甲队', criterion: 'match_points', amount: -0.5 }
    expect(adjustmentText(one, criteria)).toBe('甲队 场分 −0.5')
    setLanguage('en')
    expect(adjustmentText(one, criteria)).toBe('甲队 Match points −0.5')
    expect(adjustmentText({ ...one, criterion: 'gone' }, criteria)).toBe('甲队 gone −0.5')
  })
})
