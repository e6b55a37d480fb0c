import type { Schemas } from './api'
import { climbAfter, levelName, openEndedClimbAfter, type FailuresAtA } from './climb'
import { scoreOf, type Score, type Side } from './score-words'

export type Board = Schemas['BoardResult']
export type ScoringRules = Schemas['ScoringRules']

/** The six ways a board can end, as the pair sees it that looks: 双下, 单下, 保级, and the same suffered. */
export const BOARD_RESULTS = [3, 2, 1, -1, -2, -3] as const

/** Where a side sits: in the closed room (闭室) the home team's players sit EW, and its opponents NS. */
export function seatOf(table: { room: string | null }, side: Side): Side {
  if (table.room !== 'closed') return side
  return side === 'ns' ? 'ew' : 'ns'
}

/** A result turned from NS' view to that of a seat, or back. */
export const seenFrom = (seat: Side, result: number): number => (seat === 'ns' ? result : -result)

/** The result of one board of a score, or null while it has none. */
export function resultOf(boards: readonly Board[], board: number): number | null {
  const found = boards.find((one) => one.board === board)
  return found ? found.result : null
}

/** The boards with one of them set (null: taken out), in the order of their numbers. */
export function withResult(boards: readonly Board[], board: number, result: number | null): Board[] {
  const others = boards.filter((one) => one.board !== board)
  return (result === null ? others : [...others, { board, result }]).sort((a, b) => a.board - b.board)
}

/** What all boards together brought the seat: how many levels it rose, less what the others rose. */
export function netOf(boards: readonly Board[], seat: Side = 'ns'): number {
  return seenFrom(seat, boards.reduce((sum, one) => sum + one.result, 0))
}

/** The numbers of the boards on which two scores differ, lowest first; a board that only one of them has, differs. */
export function differingBoards(one: Score, other: Score): number[] {
  const numbers = new Set([...one.boards, ...other.boards].map((board) => board.board))
  return [...numbers].filter((n) => resultOf(one.boards, n) !== resultOf(other.boards, n)).sort((a, b) => a - b)
}

/** The boards that a table has to play and a score does not have yet. */
export function missingBoards(toPlay: readonly { board: number }[], boards: readonly Board[]): number[] {
  return toPlay.map((one) => one.board).filter((board) => resultOf(boards, board) === null)
}

/**
 * The score that boards make where levels are scored (their order is their numbers'): the levels reached, and the
 * winner where a side lost by its failures at A. What the server makes of the same boards.
 */
export function scoreOfBoards(boards: readonly Board[], rules: Pick<ScoringRules, 'laps' | 'failures_at_a'>): Score {
  const results = [...boards].sort((a, b) => a.board - b.board).map((one) => one.result)
  const climb = rules.laps ? openEndedClimbAfter(results) : climbAfter(results, rules.failures_at_a as FailuresAtA)
  const [ns, ew] = [levelName(climb.ns), levelName(climb.ew)]
  return scoreOf({
    ns_level: ns.level,
    ew_level: ew.level,
    ns_lap: ns.lap,
    ew_lap: ew.lap,
    winner: climb.lost === null ? null : climb.lost === 'ns' ? 'ew' : 'ns',
    boards: [...boards],
  })
}

/** Is a table over after these boards, so that no further one is played (a side passed A or lost, or all are played)? */
export function climbIsOver(boards: readonly Board[], rules: ScoringRules): boolean {
  if (rules.boards > 0 && boards.length >= rules.boards) return true
  if (rules.laps) return false
  const score = scoreOfBoards(boards, rules)
  return score.winner !== null || score.ns_level === 'A+' || score.ew_level === 'A+'
}
