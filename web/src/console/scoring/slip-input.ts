import { LEVELS, type Level } from '../../shared/levels'
import { scoreOf, type Score, type Side } from '../../shared/score-words'
import type { TableView } from '../../shared/table-groups'

/** What hands type on paper slips, made into tables, levels, boards and winners. Nothing here writes anything. */

/** Capital letters without the widths and spaces that input methods put in. */
function plain(typed: string): string {
  return typed
    .replace(/[！-～]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xfee0))
    .replace(/[−–—]/g, '-')
    .replace(/[。．]/g, '.')
    .replace(/\s+/g, '')
    .toUpperCase()
}

/** What hands type for a level besides its own name: the number of the step, the letters of 过A. */
const ALIASES: Record<string, Level> = {
  '0': '10',
  T: '10',
  '11': 'J',
  '12': 'Q',
  '13': 'K',
  '14': 'A',
  '1': 'A',
  '15': 'A+',
  G: 'A+',
  GA: 'A+',
  过A: 'A+',
  过: 'A+',
  AA: 'A+',
}

/** A typed level (`a`, `11`, `过a`, full-width digits) or null. */
export function parseLevel(typed: string): Level | null {
  const text = plain(typed)
  return LEVELS.find((level) => level === text) ?? ALIASES[text] ?? null
}

export interface LapLevel {
  level: Level
  lap: number
}

/** A level with its lap where the kind has laps: `2.K` or `2/K` is the K of the second lap, `K` of the first. */
export function parseLapLevel(typed: string, laps: boolean): LapLevel | null {
  const parts = laps ? /^(\d{1,2})[./*](.+)$/.exec(plain(typed)) : null
  const level = parseLevel(parts?.[2] ?? typed)
  const lap = Number(parts?.[1] ?? 1)
  return level === null || lap < 1 ? null : { level, lap }
}

/** Did this side not turn up? `x` or 弃. */
export const isForfeit = (typed: string): boolean => ['X', '弃', '弃权'].includes(plain(typed))

/** A typed winner: 1, n or 南北; 2, e or 东西. */
export function parseWinner(typed: string): Side | null {
  const text = plain(typed)
  if (['1', 'N', 'S', 'NS', '南', '南北'].includes(text)) return 'ns'
  return ['2', 'E', 'W', 'EW', '东', '东西'].includes(text) ? 'ew' : null
}

/** A typed table: its number, and where a match has two rooms `12.1` (`12a`, open) or `12.2` (`12b`, closed). */
export function parseTable(typed: string, tables: TableView[]): TableView | null {
  const found = /^0*(\d{1,5})(?:[.\-/]?([12AB开闭])室?)?$/.exec(plain(typed))
  if (!found) return null
  const rooms = tables.filter((table) => table.match === Number(found[1]))
  if (found[2] === undefined) return rooms.find((table) => table.room !== 'closed') ?? null
  const closed = ['2', 'B', '闭'].includes(found[2])
  return rooms.find((table) => table.room === (closed ? 'closed' : 'open')) ?? null
}

export interface TypedBoards {
  results: number[]
  /** A minus or side key without its digit yet. */
  open: boolean
  /** Something that is no result: where it begins. */
  wrong: string
}

/**
 * The results of boards in a row, as 南北 sees them: `3 2 1` for what they won, with `-` (or e, w) before it what they
 * lost: `3-12` is +3, −1, +2.
 */
export function parseBoards(typed: string): TypedBoards {
  const text = plain(typed)
  const results: number[] = []
  let at = 0
  while (at < text.length) {
    const one = /^([+NS]|[-EW])?([123])/.exec(text.slice(at))
    if (!one) break
    const lost = one[1] !== undefined && '-EW'.includes(one[1])
    results.push(Number(one[2]) * (lost ? -1 : 1))
    at += one[0].length
  }
  const rest = text.slice(at)
  const open = /^[-+EWNS]$/.test(rest)
  return { results, open, wrong: open ? '' : rest }
}

/**
 * Who did not turn up, typed in the place of boards: `x1` the first team or 南北, `x2` the other, `xx` both; beside
 * `x1` and `x2` also `xn`, `xe` where the sides keep their seats. Null where nothing like it was typed.
 */
export function parseBoardsForfeit(typed: string, rooms: boolean): 'ns_forfeit' | 'ew_forfeit' | 'double_forfeit' | 'whose' | null {
  const text = plain(typed)
  const found = /^(?:X|弃权?)(.*)$/.exec(text)
  if (!found) return null
  const whose = found[1] ?? ''
  if (['X', '弃', '3'].includes(whose)) return 'double_forfeit'
  // In the closed room the teams sit the other way round: there a direction says nothing of the team.
  const side = rooms && !/^[12]$/.test(whose) ? null : parseWinner(whose)
  return side === null ? 'whose' : side === 'ns' ? 'ns_forfeit' : 'ew_forfeit'
}

/** The score of typed boards where the table has exactly so many; else null. */
export function boardsScore(typed: string, toPlay: { board: number }[]): Score | null {
  const { results, open, wrong } = parseBoards(typed)
  if (open || wrong !== '' || results.length !== toPlay.length || results.length === 0) return null
  return scoreOf({ boards: toPlay.map((one, index) => ({ board: one.board, result: results[index] ?? 0 })) })
}

/** Both sides' levels as typed, or who forfeited; null while something is missing or wrong. */
export function levelsScore(ns: string, ew: string, laps: boolean): Score | null {
  if (isForfeit(ns)) return isForfeit(ew) ? scoreOf({ outcome: 'double_forfeit' }) : ew.trim() === '' ? scoreOf({ outcome: 'ns_forfeit' }) : null
  const [one, other] = [parseLapLevel(ns, laps), parseLapLevel(ew, laps)]
  if (one !== null && isForfeit(ew)) return scoreOf({ outcome: 'ew_forfeit' })
  if (one === null || other === null) return null
  return scoreOf({ ns_level: one.level, ew_level: other.level, ns_lap: one.lap, ew_lap: other.lap })
}
