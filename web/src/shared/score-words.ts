import type { Schemas } from './api'
import { t } from './i18n/shared'
import { LEVELS, type Level } from './levels'

export type Score = Schemas['Score']
export type Side = 'ns' | 'ew'

/** A score of which only some fields are given: no levels, first laps, no winner named, no boards. */
export function scoreOf(given: Partial<Score>): Score {
  return { outcome: 'played', ns_level: null, ew_level: null, ns_lap: 1, ew_lap: 1, winner: null, boards: [], ...given }
}

export const otherSide = (side: Side): Side => (side === 'ns' ? 'ew' : 'ns')

export const sideWords = (side: Side): string => (side === 'ns' ? t('northSouth') : t('eastWest'))

/** `A+` is shown as 过A, a later lap of 超分赛 with its number; a missing level as a dash. */
export function levelWords(level: string | null, lap = 1): string {
  const words = level === 'A+' ? t('levelPassedA') : (level ?? '–')
  return lap > 1 ? t('levelOfLap', { level: words, lap }) : words
}

/** The level's place on the ladder from 2 (0) to 过A (13), and on in the next lap; -1 for a name that is none. */
export function levelIndex(level: string | null, lap = 1): number {
  const index = LEVELS.indexOf(level as Level)
  return index < 0 ? index : index + (lap - 1) * LEVELS.length
}

export interface LevelOutcome {
  /** Null on equal levels: a draw, unless a winner is named. */
  winner: Side | null
  /** 级差: how many levels lie between both sides. */
  difference: number
}

/** Who wins at these levels, and by how many. */
export function outcomeOf(ns: Level, ew: Level, nsLap = 1, ewLap = 1): LevelOutcome {
  const difference = levelIndex(ns, nsLap) - levelIndex(ew, ewLap)
  const winner = difference === 0 ? null : difference > 0 ? 'ns' : 'ew'
  return { winner, difference: Math.abs(difference) }
}

/** A table ends when one side passes A, so not both can have done so (but in 超分赛, where laps go on). */
export function levelsPossible(ns: Level, ew: Level): boolean {
  return !(ns === 'A+' && ew === 'A+')
}

/** The result as one sentence: 南北 过A 胜，级差 3. */
export function levelsSentence(ns: Level, ew: Level): string {
  return scoreSentence(scoreOf({ ns_level: ns, ew_level: ew }))
}

/** Who won, as far as the score says it by itself; null for a draw, boards, and tables that nobody won. */
export function winnerOf(score: Score): Side | null {
  if (score.outcome === 'ns_forfeit') return 'ew'
  if (score.outcome === 'ew_forfeit') return 'ns'
  if (score.outcome !== 'played') return null
  if (score.winner === 'ns' || score.winner === 'ew') return score.winner
  if (score.ns_level === null || score.ew_level === null) return null
  return outcomeOf(score.ns_level as Level, score.ew_level as Level, score.ns_lap, score.ew_lap).winner
}

/** Any score as one sentence: 南北 过A 胜，级差 3; 双方同打到 8，南北胜; 共 8 副，南北 +5. */
export function scoreSentence(score: Score): string {
  if (score.outcome !== 'played' || score.ns_level === null || score.ew_level === null) return scoreText(score)
  const { winner, difference } = outcomeOf(score.ns_level as Level, score.ew_level as Level, score.ns_lap, score.ew_lap)
  const named = score.winner === 'ns' || score.winner === 'ew' ? score.winner : null
  if (winner === null) {
    const level = levelWords(score.ns_level, score.ns_lap)
    return named ? t('scoreDrawWon', { level, side: sideWords(named) }) : t('scoreDraw', { level })
  }
  if (named !== null && named !== winner) return t('scoreWonAtA', { side: sideWords(named), other: sideWords(winner) })
  const level = winner === 'ns' ? levelWords(score.ns_level, score.ns_lap) : levelWords(score.ew_level, score.ew_lap)
  return t('scoreWon', { side: sideWords(winner), level, difference })
}

/** `+3`, `−2`: with a real minus, as wide as the plus. */
export const signed = (n: number): string => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : '0')

/** A score in the fewest words: `10 : A`, `8 副 +5` (as NS see it), or what happened instead of playing. */
export function scoreText(score: Score): string {
  switch (score.outcome) {
    case 'played':
      if (score.ns_level === null && score.ew_level === null && score.boards.length > 0) {
        const net = score.boards.reduce((sum, one) => sum + one.result, 0)
        return t('scoreBoards', { n: score.boards.length, net: signed(net) })
      }
      return `${levelWords(score.ns_level, score.ns_lap)} : ${levelWords(score.ew_level, score.ew_lap)}`
    case 'ns_forfeit':
      return t('scoreForfeit', { side: t('northSouth') })
    case 'ew_forfeit':
      return t('scoreForfeit', { side: t('eastWest') })
    case 'double_forfeit':
      return t('scoreDoubleForfeit')
    default:
      return t('scoreUnplayed')
  }
}

/**
 * Do two scores say the same for every number of the ranking? As the server compares words: where levels are given
 * the boards behind them are only a record, and a table that was not played has nothing but its outcome.
 */
export function sameScore(one: Score, other: Score): boolean {
  if (one.outcome !== other.outcome) return false
  if (one.outcome !== 'played') return true
  const same = one.ns_level === other.ns_level && one.ew_level === other.ew_level && one.ns_lap === other.ns_lap && one.ew_lap === other.ew_lap
  if (!same || one.winner !== other.winner) return false
  if (one.ns_level !== null) return true
  const said = (score: Score): string => score.boards.map((board) => `${board.board}:${board.result}`).sort().join()
  return said(one) === said(other)
}

/** Who sits there, by number: one, or the two of a side that two persons make (单人赛): 3·8. */
export const numbersText = (entry: Schemas['SeatedEntry']): string => entry.numbers.join('·')

/** The name of an entry at a table: its own, else its players'. */
export function entryName(entry: Schemas['SeatedEntry']): string {
  return entry.name || entry.players.join(' / ') || `#${entry.number}`
}

/** The hour of a moment as people say it: 14:32. */
export function timeText(at: number): string {
  const date = new Date(at)
  const two = (n: number): string => String(n).padStart(2, '0')
  return `${two(date.getHours())}:${two(date.getMinutes())}`
}
