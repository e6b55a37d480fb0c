import type { Schemas } from '../api'
import { missingBoards, resultOf } from '../boards'
import { t } from '../i18n/officials'
import type { Level } from '../levels'
import { levelsPossible, outcomeOf, sameScore, scoreOf, type Score, type Side } from '../score-words'
import type { TableView } from '../table-groups'

export type ScoringRules = Schemas['ScoringRules']

export const OUTCOMES = ['played', 'ns_forfeit', 'ew_forfeit', 'double_forfeit', 'unplayed'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** What an official decides about a table, and why where that has to be said. */
export interface Decision {
  score: Score
  reason: string
}

export const wordOf = (table: TableView, side: Side): TableView['word_ns'] => (side === 'ns' ? table.word_ns : table.word_ew)

/** What a table has so far, to begin filling in from: what stands, what nobody disputes, else what is being entered. */
export function scoreSoFar(table: TableView): Score {
  const standing = table.ruling?.score ?? table.result
  if (standing) return standing
  if (table.word_ns && table.word_ew) return undisputed(table.word_ns.score, table.word_ew.score)
  return table.running?.score ?? scoreOf({})
}

/** What two words have in common; the rest is open. */
function undisputed(one: Score, other: Score): Score {
  if (one.outcome !== 'played' || other.outcome !== 'played') return scoreOf({})
  const ns = one.ns_level === other.ns_level && one.ns_lap === other.ns_lap
  const ew = one.ew_level === other.ew_level && one.ew_lap === other.ew_lap
  return scoreOf({
    ...(ns ? { ns_level: one.ns_level, ns_lap: one.ns_lap } : {}),
    ...(ew ? { ew_level: one.ew_level, ew_lap: one.ew_lap } : {}),
    // Behind levels boards are a record that fits one word only.
    boards: one.ns_level === null ? one.boards.filter((board) => resultOf(other.boards, board.board) === board.result) : [],
  })
}

/** Is this table scored board by board, with no levels? */
export const byBoards = (rules: Pick<ScoringRules, 'by'>): boolean => rules.by === 'boards'

/** Only what the outcome and the kind of event have: no levels of a table that was not played, no boards beside levels. */
export function finishedScore(score: Score, rules: ScoringRules): Score {
  if (score.outcome !== 'played') return scoreOf({ outcome: score.outcome })
  if (byBoards(rules)) return scoreOf({ boards: score.boards })
  const laps = rules.laps ? { ns_lap: score.ns_lap, ew_lap: score.ew_lap } : {}
  return scoreOf({ ns_level: score.ns_level, ew_level: score.ew_level, winner: score.winner, boards: score.boards, ...laps })
}

/** Are both levels the same, so that a knock-out needs a winner to be named? */
export function isDraw(score: Score): boolean {
  if (score.outcome !== 'played' || score.ns_level === null || score.ew_level === null) return false
  return outcomeOf(score.ns_level as Level, score.ew_level as Level, score.ns_lap, score.ew_lap).winner === null
}

/** What is missing or impossible, in words; empty when the score can be ruled. */
export function faultOf(score: Score, table: Pick<TableView, 'to_play'>, rules: ScoringRules): string {
  if (score.outcome !== 'played') return ''
  if (byBoards(rules)) {
    const missing = missingBoards(table.to_play, score.boards)
    return missing.length > 0 ? t('chooseBoards', { boards: missing.join(t('listSeparator')) }) : ''
  }
  if (score.ns_level === null || score.ew_level === null) return t('chooseBoth')
  if (!rules.laps && !levelsPossible(score.ns_level as Level, score.ew_level as Level)) return t('bothPassedA')
  return rules.needs_winner && isDraw(score) && score.winner === null ? t('winnerHint') : ''
}

/**
 * Must a reason be given? As the server asks: where the decision differs from what a side said or a referee ruled, or
 * corrects a settled round. A forfeit gives up the whole match, so what was said in its `other` room counts, too.
 */
export function needsReason(table: TableView, score: Score, other: TableView | null): boolean {
  const forfeit = score.outcome.endsWith('_forfeit')
  const said = (forfeit && other ? [table, other] : [table]).flatMap((one) => [one.word_ns?.score, one.word_ew?.score, one.ruling?.score])
  return table.locked || said.some((each) => each != null && !sameScore(each, score))
}

/** The body of a ruling: the score's own fields beside the reason, as the server takes them. */
export function rulingBody({ score, reason }: Decision): Omit<Schemas['Ruling'], 'version'> {
  const boards = score.boards as Schemas['BoardSaid'][]
  return { ...score, outcome: score.outcome as Outcome, winner: score.winner as Side | null, boards, reason }
}
