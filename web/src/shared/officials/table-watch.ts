import { api, type Schemas } from '../api'
import type { Pulse } from '../pulse'

export type Grid = Schemas['TableGrid']

export const FULL_LOOK = { least: 60_000, ofATable: 80 } as const

/**
 * Milliseconds after which a round is read as a whole although nothing was told: scores that are only being entered are
 * told to nobody. The larger the round, the dearer it is to read.
 */
export function fullLookAfter(tables: number): number {
  return Math.max(FULL_LOOK.least, tables * FULL_LOOK.ofATable)
}

/** What has to be asked after a look at the pulse; `calls`: as the pulse had it when the tables were asked last. */
export function newsFor(grid: Grid, pulse: Pulse, calls: number | null, earlier = false): 'nothing' | 'changes' | 'all' {
  const called = (pulse.calls ?? 0) !== calls
  // Of a round that is over only the queue of calls beside it moves; corrections wait for the next full look.
  if (earlier) return called ? 'changes' : 'nothing'
  // A pulse from a cache may be older than what the API has said since.
  if ((pulse.clock.version ?? 0) < grid.clock.version || pulse.round < grid.round) return 'nothing'
  if (pulse.round !== grid.round || (pulse.phase !== 'ended' && pulse.phase !== grid.phase)) return 'all'
  if (grid.round === 0) return 'nothing'
  return called || (pulse.changes ?? 0) > grid.changes || pulse.clock.version !== grid.clock.version ? 'changes' : 'nothing'
}

/** All tables of a round; null: of the newest published one. */
export function readTables(event: string, round: number | null): Promise<Grid> {
  const path = { event_id: event }
  return round === null
    ? api.get('/api/events/{event_id}/current-tables', { path })
    : api.get('/api/events/{event_id}/rounds/{number}/tables', { path: { ...path, number: round } })
}

/** A round that is known, with what has changed at its tables since. */
export async function readChanges(event: string, known: Grid): Promise<Grid> {
  const changed = await api.get('/api/events/{event_id}/rounds/{number}/changed-tables', {
    path: { event_id: event, number: known.round },
    query: { since: String(known.changes) },
  })
  // Settled and opened again, every table shows it.
  return changed.phase === known.phase ? withChanges(known, changed) : readTables(event, known.round)
}

export function withChanges(known: Grid, changed: Schemas['ChangedTables']): Grid {
  const news = new Map(changed.tables.map((table) => [table.table, table]))
  const tables = changed.whole ? changed.tables : known.tables.map((table) => news.get(table.table) ?? table)
  const { clock, calls, changes, outdated_by } = changed
  return { ...known, clock, calls, changes, outdated_by, tables }
}
