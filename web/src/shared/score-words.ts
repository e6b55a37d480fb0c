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

/** `A+` is shown as 过A; a missing level as a dash. */
export function levelWords(level: string | null): string {
  return level === 'A+' ? t('levelPassedA') : (level ?? '–')
}

/** The level's place on the ladder from 2 (0) to 过A (13); -1 for a name that is none. */
export function levelIndex(level: string | null): number {
  return LEVELS.indexOf(level as Level)
}

export interface LevelOutcome {
  /** Null on equal levels: a draw, unless a referee names a winner. */
  winner: Side | null
  /** 级差: how many levels lie between both sides. */
  difference: number
}

/** Who wins at these levels, and by how many. Both sides cannot have passed A (see `levelsPossible`). */
export function outcomeOf(ns: Level, ew: Level): LevelOutcome {
  const difference = levelIndex(ns) - levelIndex(ew)
  const winner = difference === 0 ? null : difference > 0 ? 'ns' : 'ew'
  return { winner, difference: Math.abs(difference) }
}

/** A table ends when one side passes A, so not both can have done so. */
export function levelsPossible(ns: Level, ew: Level): boolean {
  return !(ns === 'A+' && ew === 'A+')
}

/** The result as one sentence: 南北 过A 胜，级差 3. */
export function levelsSentence(ns: Level, ew: Level): string {
  const { winner, difference } = outcomeOf(ns, ew)
  if (winner === null) return t('scoreDraw', { level: levelWords(ns) })
  const level = levelWords(winner === 'ns' ? ns : ew)
  return t('scoreWon', { side: sideWords(winner), level, difference })
}

/** A score in the fewest words: `10 : A`, or what happened instead of playing. */
export function scoreText(score: Score): string {
  switch (score.outcome) {
    case 'played':
      return `${levelWords(score.ns_level)} : ${levelWords(score.ew_level)}`
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

/** Do two scores say the same? */
export function sameScore(one: Score, other: Score): boolean {
  return one.outcome === other.outcome && one.ns_level === other.ns_level && one.ew_level === other.ew_level
}

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
