import { netOf, type ScoringRules } from '../shared/boards'
import { t } from '../shared/i18n/play-table'
import { scoreSentence, scoreText, signed, type Score, type Side } from '../shared/score-words'

/** Boards without levels: what they say depends on where one sits. */
const ofBoards = (score: Score): boolean => score.outcome === 'played' && score.ns_level === null && score.boards.length > 0

/** A score in the fewest words, boards as the player's seat sees them: 10 : A; 8 副 +5. */
export function ourText(score: Score, seat: Side): string {
  return ofBoards(score) ? t('scoreBoards', { n: score.boards.length, net: signed(netOf(score.boards, seat)) }) : scoreText(score)
}

/** A score as a sentence: 南北 过A 胜，级差 3; 共 8 副，我方净 +5. */
export function ourSentence(score: Score, seat: Side): string {
  return ofBoards(score) ? t('boardsSentence', { n: score.boards.length, net: signed(netOf(score.boards, seat)) }) : scoreSentence(score)
}

/** Both levels with ours first, as players say it; boards as our seat sees them. */
export function oursFirst(score: Score, side: Side, seat: Side): string {
  if (ofBoards(score)) return ourText(score, seat)
  if (score.outcome !== 'played' || score.ns_level === null || side === 'ns') return scoreText(score)
  return scoreText({ ...score, ns_level: score.ew_level, ew_level: score.ns_level, ns_lap: score.ew_lap, ew_lap: score.ns_lap })
}

/** Can this kind be entered board by board as well as by levels? */
export const twoWays = (rules: ScoringRules): boolean => rules.by === 'levels'
