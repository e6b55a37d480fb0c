import type { TableView } from '../table-groups'

/** Who of each team sits at a table, as places within the team; empty where nobody has said. */
export interface LineUp {
  ns: number[]
  ew: number[]
}

/** How many of a team sit on one side. */
export const PAIR = 2

/** Has a side of this table more people than sit down, so that somebody chooses? Two persons with numbers are a side. */
export function hasLineUp(table: TableView): boolean {
  return [table.ns, table.ew].some((seat) => seat.numbers.length === 1 && seat.players.length > PAIR)
}

/** The line-up as places: two of a team may have one name. */
export const lineUpOf = (table: TableView): LineUp => ({ ns: table.line_up?.ns_places ?? [], ew: table.line_up?.ew_places ?? [] })
