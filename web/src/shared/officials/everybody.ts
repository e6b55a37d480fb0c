import type { Schemas } from '../api'

/** Everybody who has a place in the round: at a table, with a bye or sitting out. */
export function everybodyOf(grid: Schemas['TableGrid'] | null): Schemas['SeatedEntry'][] {
  if (grid === null) return []
  const seated = new Map(grid.tables.flatMap((table) => [table.ns, table.ew]).map((seat) => [seat.numbers.join(), seat]))
  return [...seated.values(), ...grid.byes, ...grid.sit_outs]
}
