/** Four invented teams after the same rounds, to show what an order of criteria does. Equal values are on purpose. */
const VALUES: Record<string, [number, number, number, number]> = {
  match_points: [8, 8, 6, 6],
  rounds_won: [4, 4, 3, 3],
  level_points: [70, 74, 70, 70],
  upgrades: [31, 29, 30, 30],
  net_levels: [9, 12, 6, 6],
  opponents_level_points: [266, 260, 258, 262],
  opponents_match_points: [24, 22, 20, 20],
  high_rounds: [20, 19, 22, 21],
  head_to_head: [1, 0, 1, 0],
  head_to_head_two: [1, 0, 1, 0],
  rotation_points: [27, 27, 24, 22],
  duplicate_points: [41, 38, 38, 35],
  datum_deviation: [6, 4.5, 4.5, -2],
  datum_match_points: [7, 7, 5, 4],
  median_deviation: [5, 4, 4, -1],
  median_match_points: [7, 6, 6, 4],
  median_band_points: [6.5, 6, 5.5, 4],
  lot: [3, 4, 1, 2],
}
export const LETTERS = ['A', 'B', 'C', 'D'] as const

export interface Placed {
  letter: string
  rank: number
  values: number[]
  /** Place in the list of the criterion that put this team behind the one above; null: shares its rank, or is first. */
  decidedBy: number | null
}

/** The four teams ranked by the criteria in their order; the higher value goes first. */
export function rankedExample(criteria: readonly string[]): Placed[] {
  const rows = LETTERS.map((letter, team) => ({ letter, values: criteria.map((code) => VALUES[code]?.[team] ?? 0) }))
  const firstDifference = (a: number[], b: number[]): number => a.findIndex((value, index) => value !== b[index])
  const sorted = [...rows].sort((a, b) => {
    const at = firstDifference(a.values, b.values)
    return at < 0 ? 0 : (b.values[at] ?? 0) - (a.values[at] ?? 0)
  })
  const placed: Placed[] = []
  sorted.forEach((row, index) => {
    const above = placed[index - 1]
    const at = above ? firstDifference(above.values, row.values) : -1
    placed.push({ ...row, rank: above && at < 0 ? above.rank : index + 1, decidedBy: above && at >= 0 ? at : null })
  })
  return placed
}
