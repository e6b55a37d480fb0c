import type { Schemas } from '../api'

export type Bracket = Schemas['Bracket']
export type BracketRound = Schemas['BracketRound']
export type BracketTable = Schemas['BracketTable']

/** A round's places from top to bottom; who comes out of places 2k and 2k + 1 meets at place k of the next column. */
export interface Column {
  round: BracketRound
  places: BracketTable[]
}

export interface BracketLayout {
  columns: Column[]
  /** The match for third place stands beside the final, not in the tree. */
  thirdPlace: BracketTable | null
}

export function bracketLayout(bracket: Bracket): BracketLayout {
  const columns = bracket.rounds.map((round) => ({ round, places: round.tables.filter((table) => !table.third_place) }))
  const thirdPlace = bracket.rounds.flatMap((round) => round.tables).find((table) => table.third_place) ?? null
  return { columns, thirdPlace }
}

/** Somebody goes on without playing: no match stands there. */
export const isBye = (table: BracketTable): boolean => table.winner !== null && (table.ns === null || table.ew === null)

const MOST_COLUMNS = 3
const MOST_MATCHES = 8

/**
 * The tree in parts that a picture holds: three columns, the first of eight matches at most. The last part ends with
 * the final; the ones before lead up to it.
 */
export function bracketParts({ columns, thirdPlace }: BracketLayout, most = MOST_MATCHES): BracketLayout[] {
  const parts: BracketLayout[] = []
  for (let last = columns.length - 1; last >= 0; last -= MOST_COLUMNS) {
    const first = Math.max(0, last - MOST_COLUMNS + 1)
    // The earliest part shows where its winners go on to, too.
    const block = columns.slice(first, Math.max(last + 1, Math.min(columns.length, first + MOST_COLUMNS)))
    const pieces = Math.max(1, Math.ceil((block[0]?.places.length ?? 0) / most))
    const cut: BracketLayout[] = []
    for (let piece = 0; piece < pieces; piece += 1) {
      const share = (places: BracketTable[]): BracketTable[] =>
        places.slice(Math.floor((piece * places.length) / pieces), Math.ceil(((piece + 1) * places.length) / pieces))
      cut.push({
        columns: block.map(({ round, places }) => ({ round, places: share(places) })),
        thirdPlace: last === columns.length - 1 ? thirdPlace : null,
      })
    }
    parts.unshift(...cut)
  }
  return parts
}
