import type { Score, Table } from './tables'

/** One typed slip and what became of it. `after` stands while it can be taken back. */
export interface SlipLine {
  id: number
  table: number
  before: Table
  score: Score
  state: 'sending' | 'saved' | 'refused' | 'undone'
  after: Table | null
  error: string | null
}
