import { describe, expect, it } from 'vitest'
import { isPaged, viewsFor, viewWords } from '../src/console/display/views'
import type { EventView } from '../src/console/frame/event-context'
import { inGroupsOf, isSheet, SHEETS, sheetWords, tableNumbers } from '../src/console/print/sheets'
import { problemOfJob } from '../src/console/rounds/drawing'
import { tablesOf, teamRounds } from '../src/console/standings/team-rounds'
import { decidedWith } from '../src/console/standings/winners'
import type { Schemas } from '../src/shared/api'
import { setLanguage } from '../src/shared/i18n/language'

setLanguage('zh')

describe('the rounds of a team', () => {
  const addend = (round: number | null, value: string, why: string): Schemas['AddendView'] => ({ round, value, why })
  const addends = {
    match_points: [addend(1, '2', 'win over 7'), addend(2, '0', 'loss to 5'), addend(2, '-1', 'adjustment: 迟到')],
    opponents_match_points: [addend(1, '0', 'total of 7'), addend(2, '4', 'total of 5')],
  }

  it('hold every addend under its criterion, and say what happened', () => {
    const rounds = teamRounds(addends, ['match_points', 'opponents_match_points'])
    expect(rounds.map((round) => [round.round, round.happened])).toEqual([[1, 'win over 7'], [2, 'loss to 5']])
    expect(rounds[1]?.cells.map((cell) => cell.map((one) => one.value))).toEqual([['0', '-1'], ['4']])
    const kept = rounds.flatMap((round) => round.cells.flat())
    expect(kept).toHaveLength(Object.values(addends).flat().length)
  })

  it('leave what belongs to no round to the end, and call no adjustment a result', () => {
    const rounds = teamRounds({ match_points: [addend(null, '1', 'adjustment: 更正'), addend(3, '-2', 'adjustment: 迟到')] }, ['match_points'])
    expect(rounds.map((round) => [round.round, round.happened])).toEqual([[3, null], [null, null]])
  })

  it('find both rooms of a match, and a person among two', () => {
    const seat = (numbers: number[]): Schemas['SeatedEntry'] => ({ number: numbers[0] ?? 0, numbers, name: '', club: '', players: [] })
    const table = (address: number, ns: number[], ew: number[]): Schemas['TableView'] => ({ table: address, ns: seat(ns), ew: seat(ew) }) as Schemas['TableView']
    const grid = { tables: [table(1, [3], [4]), table(50_001, [3], [4]), table(2, [5, 8], [6, 7])] } as unknown as Schemas['TableGrid']
    expect(tablesOf(grid, 4).map((one) => [one.table.table, one.side])).toEqual([[1, 'ew'], [50_001, 'ew']])
    expect(tablesOf(grid, 8).map((one) => [one.table.table, one.side])).toEqual([[2, 'ns']])
    expect(tablesOf(grid, 9)).toEqual([])
  })
})

describe('an undecided prize', () => {
  it('gives places in the chosen order and leaves other decisions alone', () => {
    expect(decidedWith([4, 9], [5, 6, 7], [7, 5])).toEqual([4, 9, 7, 5])
    expect(decidedWith([6, 9, 5], [5, 6, 7], [7])).toEqual([9, 7])
  })
})

describe('the remote control', () => {
  const settings = (change: object): EventView['settings'] => ({ knockout: false, club_ranking: { on: false }, ...change }) as EventView['settings']

  it('offers a bracket to knock-outs and clubs where they are ranked', () => {
    expect(viewsFor(settings({}))).not.toContain('bracket')
    expect(viewsFor(settings({}))).not.toContain('clubs')
    expect(viewsFor(settings({ knockout: true, club_ranking: { on: true } }))).toEqual(expect.arrayContaining(['bracket', 'clubs']))
  })

  it('has words of its own for every view, and never pages through winners by itself', () => {
    const views = viewsFor(settings({ knockout: true, club_ranking: { on: true } }))
    expect(new Set(views.map(viewWords)).size).toBe(views.length)
    expect(isPaged('winners')).toBe(false)
    expect(isPaged('standings')).toBe(true)
  })
})

describe('sheets of paper', () => {
  it('take table numbers from low to high only', () => {
    expect(tableNumbers('3', '5')).toEqual([3, 4, 5])
    for (const [first, last] of [['5', '3'], ['0', '3'], ['1', ''], ['a', '2'], ['1', '9999'], ['1.5', '3']] as const) {
      expect(tableNumbers(first, last)).toEqual([])
    }
  })

  it('fill pages without losing one', () => {
    expect(inGroupsOf([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]])
    expect(inGroupsOf([], 2)).toEqual([])
  })

  it('each have a name and a line about them', () => {
    expect(new Set(SHEETS.map((sheet) => sheetWords(sheet).name)).size).toBe(SHEETS.length)
    expect(isSheet('cards')).toBe(true)
    expect(isSheet('nothing')).toBe(false)
  })
})

describe('a drawing that was done as a job', () => {
  it('refuses as a request would have', () => {
    const error = problemOfJob({ code: 'open_tables', detail_zh: '还有未完成的桌', detail_en: 'Tables are open', current: { tables: [3] } })
    expect(error.code).toBe('open_tables')
    expect(error.temporary).toBe(false)
    expect(error.text).toBe('还有未完成的桌')
    expect(error.problem.current).toEqual({ tables: [3] })
  })
})
