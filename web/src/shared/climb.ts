import { LEVELS, type Level } from './levels'

/**
 * How boards (副) raise the two sides of a table, as the server counts it (rules/levels.py; section 1 of the rules).
 * Results are written from NS' view: +3 +2 +1 -1 -2 -3. `test/climb-cases.json`, made from the server's own rules,
 * holds both to the same answers.
 */
export type FailuresAtA = 'none' | 'back_to_2' | 'lose'

const A = LEVELS.indexOf('A')
const A_PASSED = LEVELS.indexOf('A+')
const LAP = LEVELS.length
const FAILURES_THAT_COUNT = 3

/** Where both sides stand: indices of levels (laps go on beyond 过A), and who lost by failing at A three times. */
export interface Climb {
  ns: number
  ew: number
  lost: 'ns' | 'ew' | null
  /** How many boards counted: nothing more does once a side has passed A or lost. */
  counted: number
}

/** Where two sides that began at 2 stand after these boards; a table ends when one has passed A. */
export function climbAfter(results: readonly number[], failuresAtA: FailuresAtA): Climb {
  const levels = [0, 0]
  const failures = [0, 0]
  let playing: 0 | 1 | null = null
  let lost: 0 | 1 | null = null
  let counted = 0
  for (const result of results) {
    if (lost !== null || levels.includes(A_PASSED)) break
    counted += 1
    const winner = result > 0 ? 0 : 1
    const by = Math.abs(result)
    const atOwnA: boolean = playing !== null && levels[playing] === A
    if (atOwnA && playing === winner && by > 1) {
      levels[winner] = A_PASSED
    } else {
      levels[winner] = Math.min(A, levels[winner]! + by)
      if (atOwnA && playing !== null) {
        failures[playing]! += 1
        if (failures[playing] === FAILURES_THAT_COUNT && failuresAtA !== 'none') {
          failures[playing] = 0
          if (failuresAtA === 'lose') lost = playing
          else levels[playing] = 0
        }
      }
    }
    playing = winner
  }
  return { ns: levels[0]!, ew: levels[1]!, lost: lost === null ? null : lost === 0 ? 'ns' : 'ew', counted }
}

/** The same in 超分赛: after 过A a side begins a new lap at 2, and nothing ends the table. */
export function openEndedClimbAfter(results: readonly number[]): Climb {
  const levels = [0, 0]
  let playing: 0 | 1 | null = null
  for (const result of results) {
    const winner: 0 | 1 = result > 0 ? 0 : 1
    levels[winner] = rise(levels[winner]!, Math.abs(result), playing === winner)
    playing = winner
  }
  return { ns: levels[0]!, ew: levels[1]!, lost: null, counted: results.length }
}

function rise(index: number, by: number, playsOwn: boolean): number {
  const level = index % LAP
  const start = index - level
  if (level === A_PASSED) return start + LAP + by
  if (level === A && playsOwn && by > 1) return start + A_PASSED
  return start + Math.min(A, level + by)
}

/** The name of a level and its lap (1 in all kinds but 超分赛). */
export function levelName(index: number): { level: Level; lap: number } {
  return { level: LEVELS[index % LAP]!, lap: Math.floor(index / LAP) + 1 }
}
