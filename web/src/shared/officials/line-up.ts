import type { Side } from '../score-words'
import type { TableView } from '../table-groups'

/** Who of each team sits at a table, as places within the team; empty where nobody has said. */
export interface LineUp {
  ns: number[]
  ew: number[]
}

/** How many of a team sit on one side. */
export const PAIR = 2

const teamOf = (table: TableView, side: Side): string[] => (side === 'ns' ? table.ns : table.ew).players

/** Has a side of this table more people than sit down, so that somebody chooses? Two persons with numbers are a side. */
export function hasLineUp(table: TableView): boolean {
  return [table.ns, table.ew].some((seat) => seat.numbers.length === 1 && seat.players.length > PAIR)
}

/** The line-up as places; names come once each, and equal names in the order of the team. */
export function lineUpOf(table: TableView): LineUp {
  const places = (side: Side): number[] => {
    const free = teamOf(table, side).map((name, place) => ({ name, place }))
    return (table.line_up?.[side] ?? []).flatMap((name) => {
      const index = free.findIndex((one) => one.name === name)
      return index < 0 ? [] : free.splice(index, 1).map((one) => one.place)
    })
  }
  return { ns: places('ns'), ew: places('ew') }
}
