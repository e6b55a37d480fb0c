import { TABLE_GROUPS, tableGroup, type TableView } from '../table-groups'

/** The tables of one match: one, or both rooms of it beside each other. */
export interface Match {
  match: number
  tables: TableView[]
}

/**
 * Tables as cards stand in the grid: the rooms of a match together, open before closed. By `number`; or by `age`:
 * problems first, and among them who has waited longest.
 */
export function matchesOf(tables: TableView[], order: 'number' | 'age'): Match[] {
  const found = new Map<number, TableView[]>()
  tables.forEach((table) => found.set(table.match, [...(found.get(table.match) ?? []), table]))
  const matches = [...found].map(([match, rooms]) => ({ match, tables: rooms.sort((a, b) => a.table - b.table) }))
  if (order === 'number') return matches.sort((a, b) => a.match - b.match)
  const urgency = (match: Match): number => Math.min(...match.tables.map((table) => TABLE_GROUPS.indexOf(tableGroup(table))))
  const since = (match: Match): number => Math.min(...match.tables.map((table) => table.since))
  return matches.sort((a, b) => urgency(a) - urgency(b) || since(a) - since(b) || a.match - b.match)
}
