import type { Score } from '../../shared/score-words'
import type { TableView } from '../../shared/table-groups'

/** One typed slip and what became of it. `after` stands while it can be taken back; `typed` is what stood in the fields. */
export interface SlipLine {
  id: number
  before: TableView
  score: Score
  typed: Record<'table' | 'ns' | 'ew' | 'boards' | 'winner' | 'reason', string>
  state: 'sending' | 'saved' | 'refused' | 'undone'
  after: TableView | null
  error: string | null
}
