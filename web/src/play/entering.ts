import { climbIsOver, missingBoards, scoreOfBoards, type Board, type ScoringRules } from '../shared/boards'
import type { Level } from '../shared/levels'
import { levelsPossible, outcomeOf, sameScore, scoreOf, type Score, type Side } from '../shared/score-words'

/** What stands on the buttons: levels, or boards; both are kept when somebody changes from one way to the other. */
export interface Entry {
  by: 'levels' | 'boards'
  ns: Level | null
  ew: Level | null
  nsLap: number
  ewLap: number
  /** Named on equal levels where one side must win. */
  winner: Side | null
  boards: Board[]
}

export const emptyEntry = (by: Entry['by']): Entry => ({ by, ns: null, ew: null, nsLap: 1, ewLap: 1, winner: null, boards: [] })

/** An entry that shows a score. `by`: the way in which this player enters; kept where the score can be shown so. */
export function entryOf(score: Score, rules: ScoringRules, by: Entry['by'] = 'boards'): Entry {
  return {
    by: rules.by === 'boards' || (score.boards.length > 0 && by === 'boards') ? 'boards' : 'levels',
    ns: score.ns_level as Level | null,
    ew: score.ew_level as Level | null,
    nsLap: score.ns_lap,
    ewLap: score.ew_lap,
    winner: score.winner === 'ns' || score.winner === 'ew' ? score.winner : null,
    boards: score.boards,
  }
}

/** What has been entered as a score, as far as it goes; null while it says nothing. */
export function scoreEntered(entry: Entry, rules: ScoringRules): Score | null {
  if (rules.by === 'boards') return entry.boards.length > 0 ? scoreOf({ boards: entry.boards }) : null
  const score = entry.by === 'boards' ? scoreOfBoards(entry.boards, rules) : scoreOfLevels(entry)
  if (score === null || (entry.by === 'boards' && entry.boards.length === 0)) return null
  const named = rules.needs_winner && isDraw(score) ? entry.winner : score.winner
  return { ...score, winner: named }
}

function scoreOfLevels(entry: Entry): Score | null {
  if (entry.ns === null || entry.ew === null) return null
  return scoreOf({ ns_level: entry.ns, ew_level: entry.ew, ns_lap: entry.nsLap, ew_lap: entry.ewLap })
}

/** Equal levels, which a knock-out cannot leave as they are. */
export function isDraw(score: Score): boolean {
  if (score.outcome !== 'played' || score.ns_level === null || score.ew_level === null) return false
  return outcomeOf(score.ns_level as Level, score.ew_level as Level, score.ns_lap, score.ew_lap).winner === null
}

/** What still stands in the way of submitting; null when nothing does. */
export type Lack = 'both_levels' | 'other_level' | 'both_passed' | 'winner' | 'no_boards' | 'boards'

export function lackOf(entry: Entry, rules: ScoringRules, toPlay: readonly { board: number }[]): Lack | null {
  if (rules.by === 'boards') return missingBoards(toPlay, entry.boards).length > 0 ? 'boards' : null
  if (entry.by === 'boards' && entry.boards.length === 0) return 'no_boards'
  if (entry.by === 'levels') {
    if (entry.ns === null && entry.ew === null) return 'both_levels'
    if (entry.ns === null || entry.ew === null) return 'other_level'
    if (!rules.laps && !levelsPossible(entry.ns, entry.ew)) return 'both_passed'
  }
  const score = scoreEntered(entry, rules)
  return score !== null && rules.needs_winner && isDraw(score) && entry.winner === null ? 'winner' : null
}

/** May another board be entered where the boards make the levels? */
export function takesBoard(entry: Entry, rules: ScoringRules): boolean {
  return rules.by === 'levels' && !climbIsOver(entry.boards, rules)
}

export interface ScoreBody {
  ns_level?: string
  ew_level?: string
  ns_lap?: number
  ew_lap?: number
  winner?: 'ns' | 'ew'
  boards?: Board[]
}

/** A score as the body of a request: only what the kind knows. Where boards make the levels, boards alone are sent. */
export function bodyOf(score: Score, rules: ScoringRules): ScoreBody {
  const body: ScoreBody = {}
  if (score.boards.length > 0) body.boards = score.boards
  if (rules.by === 'levels' && score.boards.length === 0) {
    if (score.ns_level !== null) body.ns_level = score.ns_level
    if (score.ew_level !== null) body.ew_level = score.ew_level
    if (rules.laps) Object.assign(body, { ns_lap: score.ns_lap, ew_lap: score.ew_lap })
  }
  if (rules.by === 'levels' && (score.winner === 'ns' || score.winner === 'ew') && isDraw(score)) body.winner = score.winner
  return body
}

/** Would the two be read as the same by whoever sees them? */
export const saysTheSame = (one: Score | null, other: Score | null): boolean =>
  one === null || other === null ? one === other : sameScore(one, other) && JSON.stringify(one.boards) === JSON.stringify(other.boards)
