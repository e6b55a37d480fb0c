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

/** What a picture holds: so many columns, the first of so many matches at most. */
export interface BracketShape {
  columns: number
  matches: number
}

/** The tree in parts that a picture holds. The last part ends with the final; the ones before lead up to it. */
export function bracketParts({ columns, thirdPlace }: BracketLayout, shape: BracketShape = { columns: 3, matches: 8 }): BracketLayout[] {
  const parts: BracketLayout[] = []
  for (let last = columns.length - 1; last >= 0; last -= shape.columns) {
    const first = Math.max(0, last - shape.columns + 1)
    // The earliest part shows where its winners go on to, too.
    const block = columns.slice(first, Math.max(last + 1, Math.min(columns.length, first + shape.columns)))
    const pieces = Math.max(1, Math.ceil((block[0]?.places.length ?? 0) / shape.matches))
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
