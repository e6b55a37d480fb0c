import type { Schemas } from '../../shared/api'

export type RoundView = Schemas['RoundView']
export type DrawnTable = Schemas['DrawnTable']
export type Side = 'ns' | 'ew'

/** A draft as it is sent: entry numbers only. */
export interface Arrangement {
  tables: { table: number; ns: number; ew: number }[]
  byes: number[]
}

/** Where an entry sits in a draft: at a table, or among the byes. */
export type Place = { table: number; side: Side } | { bye: number }

export function arrangementOf(round: Pick<RoundView, 'tables' | 'byes'>): Arrangement {
  return {
    tables: round.tables.map((table) => ({ table: table.table, ns: table.ns.number, ew: table.ew.number })),
    byes: round.byes.map((entry) => entry.number),
  }
}

export function samePlace(a: Place, b: Place): boolean {
  return 'bye' in a ? 'bye' in b && a.bye === b.bye : !('bye' in b) && a.table === b.table && a.side === b.side
}

function entryAt(draft: Arrangement, place: Place): number | undefined {
  if ('bye' in place) return draft.byes.find((entry) => entry === place.bye)
  return draft.tables.find((table) => table.table === place.table)?.[place.side]
}

/** The draft with the entries of two places exchanged; null when a place does not exist or both are the same. */
export function swapped(draft: Arrangement, a: Place, b: Place): Arrangement | null {
  const first = entryAt(draft, a)
  const second = entryAt(draft, b)
  if (first === undefined || second === undefined || first === second) return null
  const moved = (entry: number): number => (entry === first ? second : entry === second ? first : entry)
  return {
    tables: draft.tables.map(({ table, ns, ew }) => ({ table, ns: moved(ns), ew: moved(ew) })),
    byes: draft.byes.map(moved),
  }
}

/** The draft with all who sit at two tables exchanged; null when a table does not exist or both are the same. */
export function swappedTables(draft: Arrangement, a: number, b: number): Arrangement | null {
  const first = draft.tables.find(({ table }) => table === a)
  const second = draft.tables.find(({ table }) => table === b)
  if (!first || !second || a === b) return null
  return {
    ...draft,
    tables: draft.tables.map((one) =>
      one.table === a ? { ...second, table: a } : one.table === b ? { ...first, table: b } : one,
    ),
  }
}

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
