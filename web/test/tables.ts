import type { Schemas } from '../src/shared/api'
import { scoreOf, type Score } from '../src/shared/score-words'

/** Tables, seats and words for tests: what a test does not care about is as in a new table of two pairs. */

export type TableView = Schemas['TableView']

export function seated(number: number, name = '', more: Partial<Schemas['SeatedEntry']> = {}): Schemas['SeatedEntry'] {
  return { number, name, club: '', players: [], numbers: [number], ...more }
}

/** How pairs are scored, unless a test says otherwise. */
export function scoringRules(changes: Partial<Schemas['ScoringRules']> = {}): Schemas['ScoringRules'] {
  const pairs = { by: 'levels', laps: false, needs_winner: false, boards: 0, failures_at_a: 'back_to_2', rooms: false, self_forfeit: false }
  return { ...pairs, ...changes }
}

/** The boards that a table has to play. */
export const toPlay = (...numbers: number[]): Schemas['BoardToPlay'][] => numbers.map((board) => ({ board, level: null, leader: null }))

export const levels = (ns: string | null, ew: string | null, more: Partial<Score> = {}): Score =>
  scoreOf({ ns_level: ns, ew_level: ew, ...more })

/** Results of boards 1, 2, 3 ..., as NS see them. */
export const boards = (...results: number[]): Score =>
  scoreOf({ boards: results.map((result, index) => ({ board: index + 1, result })) })

export const word = (score: Score): Schemas['WordView'] => ({ score, version: 1, at: 0, late: false })

export function tableOf(changes: Partial<TableView> = {}): TableView {
  const table = changes.table ?? 1
  return {
    round: 1,
    table,
    match: changes.match ?? table,
    room: null,
    board_set: null,
    third_place: false,
    to_play: [],
    line_up: null,
    ns: seated(1, '甲队'),
    ew: seated(2, '乙队'),
    state: 'open',
    result: null,
    word_ns: null,
    word_ew: null,
    running: null,
    ruling: null,
    locked: false,
    postponed: null,
    extra_minutes: 0,
    version: 1,
    since: 0,
    redraw: null,
    ...changes,
  }
}
