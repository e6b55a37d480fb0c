import { describe, expect, it } from 'vitest'
import { stateOfDay, type CalendarDay } from '../src/shared/matches/calendar'
import { bracketLayout, bracketParts, isBye, type Bracket, type BracketTable } from '../src/shared/matches/bracket'

const seat = (number: number): NonNullable<BracketTable['ns']> => ({ number, name: `队${number}`, club: '', players: [], numbers: [number] })
function match(table: number, ns: number | null, ew: number | null, winner: 'ns' | 'ew' | null = null, third_place = false): BracketTable {
  return { table, third_place, ns: ns === null ? null : seat(ns), ew: ew === null ? null : seat(ew), winner, result: null }
}
function bracket(...rounds: BracketTable[][]): Bracket {
  return { rounds: rounds.map((tables, index) => ({ round: index + 1, name_zh: '', name_en: '', tables })) }
}

describe('the layout of a bracket', () => {
  it('keeps the match for third place out of the tree', () => {
    const given = bracket([match(1, 1, 2, 'ns'), match(2, 3, 4, 'ns')], [match(1, 1, 3), match(2, 2, 4, null, true)])
    const found = bracketLayout(given)
    expect(found.columns.map((column) => column.places.map((table) => table.table))).toEqual([[1, 2], [1]])
    expect(found.thirdPlace?.ns?.number).toBe(2)
  })

  it('knows who goes on without playing, and who waits for an opponent', () => {
    expect(isBye(match(0, 5, null, 'ns'))).toBe(true)
    expect(isBye(match(0, 5, null))).toBe(false)
    expect(isBye(match(1, 5, 6, 'ns'))).toBe(false)
  })
})

describe('parts of a bracket for a projection', () => {
  const full = (count: number): Bracket => {
    const rounds: BracketTable[][] = []
    for (let size = count / 2; size >= 1; size /= 2) rounds.push(Array.from({ length: size }, (_, n) => match(n + 1, null, null)))
    return bracket(...rounds)
  }

  it.each([
    [4, [[2, 1]]],
    [8, [[4, 2, 1]]],
    [16, [[8, 4, 2], [4, 2, 1]]],
    [64, [[8, 4, 2], [8, 4, 2], [8, 4, 2], [8, 4, 2], [4, 2, 1]]],
    [128, [[8, 4, 2], [8, 4, 2], [8, 4, 2], [8, 4, 2], [8, 4, 2], [8, 4, 2], [8, 4, 2], [8, 4, 2], [8, 4, 2], [8, 4, 2], [4, 2, 1]]],
  ])('holds every match of %i teams, eight at most in a column', (teams, sizes) => {
    const parts = bracketParts(bracketLayout(full(teams)))
    const found = parts.map((part) => part.columns.map((column) => column.places.length))
    expect(found[found.length - 1]).toEqual(sizes[sizes.length - 1])
    expect(Math.max(...found.flat())).toBeLessThanOrEqual(8)
    for (const round of bracketLayout(full(teams)).columns) {
      const shown = parts.flatMap((part) => part.columns.filter((column) => column.round.round === round.round.round).flatMap((column) => column.places))
      expect(new Set(shown.map((table) => table.table)).size).toBe(round.places.length)
    }
    if (teams < 128) expect(found).toEqual(sizes)
  })
})

describe('a match day', () => {
  it('is played once every table has its result, not when the next is drawn', () => {
    const tableOf = (result: object | null) => ({ result }) as CalendarDay['tables'][number]
    const dayOf = (drawn: boolean, ...results: (object | null)[]) => ({ drawn, tables: results.map(tableOf) }) as CalendarDay
    expect(stateOfDay(dayOf(false, null))).toBe('planned')
    expect(stateOfDay(dayOf(true, {}, null))).toBe('drawn')
    expect(stateOfDay(dayOf(true, {}, {}))).toBe('played')
  })
})
