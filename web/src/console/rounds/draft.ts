import type { Schemas } from '../../shared/api'

export type RoundView = Schemas['RoundView']
export type DrawnTable = Schemas['DrawnTable']
export type SeatedEntry = Schemas['SeatedEntry']
export type Side = 'ns' | 'ew'

/** One table of a draft as it is sent: numbers only, two a side where two persons make one. */
export interface ArrangedTable {
  table: number
  ns: number[]
  ew: number[]
}

/** A draft as it is sent. */
export interface Arrangement {
  tables: ArrangedTable[]
  byes: number[]
  sit_outs: number[]
}

/**
 * Where somebody is in a draft: a side of a table (`seat`: one of two persons, null the whole side), or out of this
 * round (a bye or a rest) by number.
 */
export type Place = { table: number; side: Side; seat: number | null } | { out: number }

export function arrangementOf(round: Pick<RoundView, 'tables' | 'byes' | 'sit_outs'>): Arrangement {
  return {
    tables: round.tables.map(({ table, ns, ew }) => ({ table, ns: ns.numbers, ew: ew.numbers })),
    byes: round.byes.map((entry) => entry.number),
    sit_outs: round.sit_outs.map((entry) => entry.number),
  }
}

export function samePlace(a: Place, b: Place): boolean {
  if ('out' in a || 'out' in b) return 'out' in a && 'out' in b && a.out === b.out
  return a.table === b.table && a.side === b.side && a.seat === b.seat
}

/** Who is at a place; empty when there is no such place. */
function numbersAt(draft: Arrangement, place: Place): number[] {
  if ('out' in place) return [...draft.byes, ...draft.sit_outs].filter((number) => number === place.out)
  const side = draft.tables.find(({ table }) => table === place.table)?.[place.side] ?? []
  return place.seat === null ? side : side.slice(place.seat, place.seat + 1)
}

/** The draft with two equally long lists of numbers exchanged; null when they are not, or overlap. */
function exchanged(draft: Arrangement, first: number[], second: number[]): Arrangement | null {
  if (first.length === 0 || first.length !== second.length || first.some((number) => second.includes(number))) return null
  const moves = new Map<number, number>()
  first.forEach((number, index) => {
    const other = second[index] ?? number
    moves.set(number, other)
    moves.set(other, number)
  })
  const moved = (numbers: number[]): number[] => numbers.map((number) => moves.get(number) ?? number)
  return {
    tables: draft.tables.map(({ table, ns, ew }) => ({ table, ns: moved(ns), ew: moved(ew) })),
    byes: moved(draft.byes),
    sit_outs: moved(draft.sit_outs),
  }
}

/** The draft with two places exchanged; null when one does not exist, both are the same, or they hold unlike many. */
export function swapped(draft: Arrangement, a: Place, b: Place): Arrangement | null {
  return exchanged(draft, numbersAt(draft, a), numbersAt(draft, b))
}

/** The draft with all who sit at two tables exchanged; null when a table does not exist or both are the same. */
export function swappedTables(draft: Arrangement, a: number, b: number): Arrangement | null {
  const all = (table: number): number[] =>
    (['ns', 'ew'] as const).flatMap((side) => numbersAt(draft, { table, side, seat: null }))
  return exchanged(draft, all(a), all(b))
}

/** Do two persons with numbers of their own make a side in this round? */
export const byPersons = (round: Pick<RoundView, 'tables'>): boolean =>
  round.tables.some(({ ns, ew }) => ns.numbers.length > 1 || ew.numbers.length > 1)

/** One person of a side, where two make one: number and name; the side itself elsewhere. */
export function personsOf(side: SeatedEntry): { number: number; name: string; club: string }[] {
  if (side.numbers.length < 2) return [{ number: side.number, name: side.name || side.players.join(' / '), club: side.club }]
  return side.numbers.map((number, index) => ({ number, name: side.players[index] ?? '', club: '' }))
}

/** A side as it is written in one line: its number or numbers, and its name. */
export const sideText = (side: SeatedEntry): string => `${side.numbers.join('·')} ${side.name || side.players.join(' / ')}`

export interface Conflicts {
  rematches: number
  sameClub: number
}

export function conflictsOf(tables: DrawnTable[]): Conflicts {
  return {
    rematches: tables.filter((table) => table.rematch_of !== null).length,
    sameClub: tables.filter((table) => table.same_club).length,
  }
}
