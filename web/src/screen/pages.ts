import type { Language } from '../shared/i18n/language'
import type { Schemas } from '../shared/api'
import { spreadOf } from '../shared/charts/spread'
import { bracketLayout, bracketParts, type Bracket, type BracketLayout, type BracketShape } from '../shared/matches/bracket'
import type { Calendar } from '../shared/matches/calendar'
import type { DisplayView } from '../shared/pulse'
import type { Charts, ClubRow, Criterion, PairingsPage, PairingTable, PublicEntry, StandingsPage, StandingsRow } from '../shared/snapshots'
import { calendarPictures, type CalendarLine } from './calendar-lines'
import { rulesPages, type RulesLine } from './rules-text'
import { hanWidth } from './text-width'
import { prizeLines, type PrizeLine } from './winners'

/** Where a team, or a person with a number of his own, sits this round. */
export interface Seat {
  no: number
  name: string
  /** The team's players; of a person his partner. */
  beside: string[]
  /** Null for who does not play. */
  table: number | null
  side: 'ns' | 'ew' | null
  /** Where the team's other pair sits in the closed room; null where a table is one. */
  closed: 'ns' | 'ew' | null
  rest: Rest | null
}

/** Why somebody does not play this round: a bye (轮空), or left out by the movement (歇轮). */
export type Rest = 'bye' | 'sit_out'

/** Somebody who does not play this round. */
export interface Resting {
  entry: PublicEntry
  rest: Rest
}

/** One picture of the projection. */
export type Picture =
  | { kind: 'clock' | 'qr' | 'blank' | 'waiting' }
  | { kind: 'tables'; tables: PairingTable[]; resting: Resting[] }
  | { kind: 'names'; seats: Seat[] }
  | { kind: 'standings'; rows: StandingsRow[]; group: string | null }
  | { kind: 'clubs'; rows: ClubRow[] }
  | { kind: 'bracket'; part: BracketLayout; columns: number; large: boolean }
  | { kind: 'calendar'; lines: CalendarLine[] }
  | { kind: 'chart'; chart: ChartKind }
  | { kind: 'picture'; address: string }
  | { kind: 'winners' }
  | { kind: 'summary'; lines: PrizeLine[] }
  | { kind: 'rules'; lines: RulesLine[] }

/** What a picture draws of the numbers. */
export type ChartKind = 'ranks' | 'spread' | 'progress'

/** How many rows a picture holds in one size of letters. */
export interface Rows {
  /** One-line rows: standings, seats by name. */
  single: number
  /** Two-line rows: tables with both pairs. */
  double: number
}

export interface Material {
  standings: StandingsPage[]
  pairings: PairingsPage[]
  rules: string
  clubs: ClubRow[]
  bracket: Bracket | null
  calendar: Calendar | null
  charts: Charts | null
  /** Address of the uploaded picture. */
  picture: string | null
  revealed: Schemas['Revealed'] | null
}

export const NOTHING: Material = { standings: [], pairings: [], rules: '', clubs: [], bracket: null, calendar: null, charts: null, picture: null, revealed: null }

/** Everything the projection shows for a view, picture by picture. Never empty: `waiting` when nothing is known. */
export function picturesOf(view: DisplayView, material: Material, rows: Rows): Picture[] {
  const pictures = contentOf(view, material, rows)
  return pictures.length > 0 ? pictures : [{ kind: 'waiting' }]
}

function contentOf(view: DisplayView, material: Material, rows: Rows): Picture[] {
  const { standings, pairings, rules, clubs, bracket, calendar, charts, picture } = material
  switch (view) {
    case 'clock':
    case 'qr':
    case 'blank':
      return [{ kind: view }]
    case 'pairings': // everybody finds themselves one way or the other
      return [...tablePictures(pairings, rows.double), ...namePictures(pairings, rows.single)]
    case 'names':
      return namePictures(pairings, rows.single)
    case 'standings':
      return byGroup(standings.flatMap((page) => page.rows)).flatMap((ranked) =>
        inChunks(ranked, rows.single).map((part): Picture => ({ kind: 'standings', rows: part, group: part[0]?.group ?? null })),
      )
    case 'rules':
      return rulesPages(rules).map((lines) => ({ kind: 'rules', lines }))
    case 'clubs':
      return inChunks(clubs, rows.single).map((part) => ({ kind: 'clubs', rows: part }))
    case 'bracket':
      return bracket === null || bracket.rounds.length === 0 ? [] : bracketPictures(bracketLayout(bracket))
    case 'calendar': // one line more than a table, whose heading it has not
      return calendar === null ? [] : calendarPictures(calendar.days, rows.single + 1).map((lines) => ({ kind: 'calendar', lines }))
    case 'chart':
      return charts === null ? [] : chartsThere(charts).map((chart) => ({ kind: 'chart', chart }))
    case 'picture':
      return picture === null ? [] : [{ kind: 'picture', address: picture }]
    case 'winners': // one award after the other; all of them when the console asks for the second picture
      if (material.revealed === null) return []
      return [{ kind: 'winners' }, ...inChunks(prizeLines(material.revealed), rows.single).map((lines): Picture => ({ kind: 'summary', lines }))]
  }
}

/** Rows of one ranking each: groups of a round robin and lines of Mitchell are ranked for themselves. */
function byGroup(all: StandingsRow[]): StandingsRow[][] {
  const groups: StandingsRow[][] = []
  for (const row of all) {
    const last = groups[groups.length - 1]
    if (last && (last[0]?.group ?? null) === (row.group ?? null)) last.push(row)
    else groups.push([row])
  }
  return groups
}

/** Han widths of a name that one line of a match holds in three columns, and in two. */
const BRACKET_FITS = { three: 10, two: 18 }
/** In larger letters, where a part has few matches. */
const LARGE_FITS = { three: 7.8, two: 15 }
const FEW_MATCHES = 4

/** The tree in parts whose names are whole: three columns of eight matches, fewer where names are long. */
function bracketPictures(layout: BracketLayout): Picture[] {
  const seats = layout.columns.flatMap((column) => column.places.flatMap((table) => [table.ns, table.ew]))
  const longest = Math.max(0, ...seats.map((seat) => (seat ? hanWidth(seat.name || seat.players.join(' / ')) : 0)))
  const shape: BracketShape =
    longest <= BRACKET_FITS.three ? { columns: 3, matches: 8 } : { columns: 2, matches: longest <= BRACKET_FITS.two ? 8 : 4 }
  const fits = longest <= (shape.columns === 3 ? LARGE_FITS.three : LARGE_FITS.two)
  return bracketParts(layout, shape).map((part) => ({
    kind: 'bracket',
    part,
    columns: shape.columns,
    large: fits && (part.columns[0]?.places.length ?? 0) <= FEW_MATCHES,
  }))
}

/** Charts that have something to show. */
function chartsThere(charts: Charts): ChartKind[] {
  const { ranks, progress } = charts
  const there: ChartKind[] = []
  if (ranks.some((line) => line.by_round.length > 0)) there.push('ranks')
  if (spreadOf(charts) !== null) there.push('spread')
  if (progress !== null && progress.by_minute.length > 1) there.push('progress')
  return there
}

function tablePictures(pages: PairingsPage[], perPicture: number): Picture[] {
  const lines: (PairingTable | Resting)[] = [...pages.flatMap((page) => page.tables), ...restingOf(pages)]
  return inChunks(lines, perPicture).map((part) => ({
    kind: 'tables',
    tables: part.filter((line): line is PairingTable => 'table' in line),
    resting: part.filter((line): line is Resting => 'rest' in line),
  }))
}

/** Who does not play, each once: every page of a snapshot names them all. */
function restingOf(pages: PairingsPage[]): Resting[] {
  const first = pages[0]
  if (!first) return []
  return [
    ...first.byes.map((entry): Resting => ({ entry, rest: 'bye' })),
    ...(first.sit_outs ?? []).map((entry): Resting => ({ entry, rest: 'sit_out' })),
  ]
}

/** Do two persons with numbers of their own make this side? */
export const isCouple = (entry: PublicEntry): boolean => (entry.nos?.length ?? 1) > 1

const BY_NAME = new Intl.Collator('zh-Hans-CN-u-co-pinyin', { numeric: true })

function namePictures(pages: PairingsPage[], perPicture: number): Picture[] {
  const seats = seatsByName(pages)
  return inChunks(seats, perPicture).map((part) => ({ kind: 'names', seats: part }))
}

/** Everybody who looks for himself, with his table, in the order people look for names: pinyin, numbers by value. */
export function seatsByName(pages: PairingsPage[]): Seat[] {
  const sides = pages.flatMap((page) =>
    page.tables.flatMap(({ table, ns, ew }) => [
      { entry: ns, table, side: 'ns' as const, closed: page.rooms ? ('ew' as const) : null },
      { entry: ew, table, side: 'ew' as const, closed: page.rooms ? ('ns' as const) : null },
    ]),
  )
  const nowhere = { table: null, side: null, closed: null }
  const seats = [
    ...sides.flatMap(({ entry, ...place }) => personsOf(entry).map((one): Seat => ({ ...one, ...place, rest: null }))),
    ...restingOf(pages).flatMap(({ entry, rest }) => personsOf(entry).map((one): Seat => ({ ...one, ...nowhere, rest }))),
  ]
  return seats.sort((a, b) => BY_NAME.compare(a.name, b.name) || a.no - b.no)
}

function personsOf(entry: PublicEntry): Pick<Seat, 'no' | 'name' | 'beside'>[] {
  if (!isCouple(entry)) return [{ no: entry.no, name: entry.name, beside: playersOf(entry) }]
  return (entry.nos ?? []).map((no, index) => ({
    no,
    name: entry.players[index] ?? String(no),
    beside: entry.players.filter((_, other) => other !== index),
  }))
}

export function inChunks<T>(all: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))
}

export const criterionName = (criterion: Criterion, language: Language): string =>
  language === 'zh' ? criterion.zh : criterion.en

/** The players as far as the entry's name does not say them already. */
export function playersOf(entry: Pick<PublicEntry, 'name' | 'players'>): string[] {
  const players = entry.players.filter((player) => player !== '')
  // A team without a name of its own is called by its players' names.
  return players.join(' / ') === entry.name ? [] : players
}
