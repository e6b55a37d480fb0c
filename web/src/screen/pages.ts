import type { Language } from '../shared/i18n/language'
import type { DisplayView } from '../shared/pulse'
import type { Criterion, PairingsPage, PairingTable, PublicEntry, StandingsPage, StandingsRow } from '../shared/snapshots'
import { rulesPages, type RulesLine } from './rules-text'

/** Where an entry sits this round; `table` null is a bye (轮空). */
export interface Seat {
  entry: PublicEntry
  table: number | null
  side: 'ns' | 'ew' | null
}

/** One picture of the projection. */
export type Picture =
  | { kind: 'clock' | 'qr' | 'blank' | 'waiting' }
  | { kind: 'tables'; tables: PairingTable[]; byes: PublicEntry[] }
  | { kind: 'names'; seats: Seat[] }
  | { kind: 'standings'; rows: StandingsRow[] }
  | { kind: 'rules'; lines: RulesLine[] }

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
}

/** Everything the projection shows for a view, picture by picture. Never empty: `waiting` when nothing is known. */
export function picturesOf(view: DisplayView, material: Material, rows: Rows): Picture[] {
  const pictures = contentOf(view, material, rows)
  return pictures.length > 0 ? pictures : [{ kind: 'waiting' }]
}

function contentOf(view: DisplayView, { standings, pairings, rules }: Material, rows: Rows): Picture[] {
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
      return inChunks(standings.flatMap((page) => page.rows), rows.single).map((part) => ({ kind: 'standings', rows: part }))
    case 'rules':
      return rulesPages(rules).map((lines) => ({ kind: 'rules', lines }))
  }
}

function tablePictures(pages: PairingsPage[], perPicture: number): Picture[] {
  const lines: (PairingTable | PublicEntry)[] = [...pages.flatMap((page) => page.tables), ...pages.flatMap((page) => page.byes)]
  return inChunks(lines, perPicture).map((part) => ({
    kind: 'tables',
    tables: part.filter((line): line is PairingTable => 'table' in line),
    byes: part.filter((line): line is PublicEntry => !('table' in line)),
  }))
}

const BY_NAME = new Intl.Collator('zh-Hans-CN-u-co-pinyin', { numeric: true })

function namePictures(pages: PairingsPage[], perPicture: number): Picture[] {
  const seats = seatsByName(pages)
  return inChunks(seats, perPicture).map((part) => ({ kind: 'names', seats: part }))
}

/** Every entry with its table, in the order people look for names: pinyin, numbers by value. */
export function seatsByName(pages: PairingsPage[]): Seat[] {
  const seats = pages.flatMap((page): Seat[] => [
    ...page.tables.flatMap(({ table, ns, ew }): Seat[] => [
      { entry: ns, table, side: 'ns' },
      { entry: ew, table, side: 'ew' },
    ]),
    ...page.byes.map((entry): Seat => ({ entry, table: null, side: null })),
  ])
  return seats.sort((a, b) => BY_NAME.compare(a.entry.name, b.entry.name) || a.entry.no - b.entry.no)
}

export function inChunks<T>(all: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))
}

export const criterionName = (criterion: Criterion, language: Language): string =>
  language === 'zh' ? criterion.zh : criterion.en

/** The players as far as the entry's name does not say them already. */
export function playersOf(entry: Pick<PublicEntry, 'name' | 'players'>): string[] {
  const players = entry.players.filter((player) => player !== '')
  return players.length === 1 && players[0] === entry.name ? [] : players
}
