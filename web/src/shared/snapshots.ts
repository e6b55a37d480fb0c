import type { Schemas } from './api'
import type { Bracket } from './matches/bracket'
import type { Calendar } from './matches/calendar'
import { publicFile } from './pulse'
import type { Counted } from './standings/counted-words'

export interface Criterion {
  code: string
  zh: string
  en: string
}

export interface StandingsRow {
  rank: number
  tied: boolean
  /** The entry's number (参赛号). */
  no: number
  name: string
  club: string | null
  players: string[]
  /** Of a round robin in groups, or a line of Mitchell; ranks begin anew in each. */
  group?: string | null
  /** In the order of the criteria. */
  values: string[]
  /** Places gained since the last round (negative: lost), null when there is nothing to compare. */
  moved: number | null
  /** A score of this entry is not effective yet (仅提交后修改实时排名 off). */
  provisional?: boolean
}

export interface StandingsPage extends Counted {
  v: number
  page: number
  pages: number
  criteria: Criterion[]
  /** True while running scores are counted. */
  provisional?: boolean
  rows: StandingsRow[]
}

export interface PublicEntry {
  no: number
  /** Both numbers where two persons make a side; snapshots of old have none. */
  nos?: number[]
  name: string
  players: string[]
}

export interface PairingTable {
  table: number
  ns: PublicEntry
  ew: PublicEntry
  /** The boards that are played there, where tables differ. */
  set?: string | number | null
  third_place?: boolean
}

export interface PairingsPage {
  round: number
  page: number
  pages: number
  tables: PairingTable[]
  byes: PublicEntry[]
  /** Whom the movement leaves out this round. */
  sit_outs?: PublicEntry[]
  /** Every match is played in an open and a closed room, in which its teams sit the other way round. */
  rooms?: boolean
}

/** One club of the 团体 ranking: the entries counted (best first) and its values, in the criteria's order. */
export interface ClubRow {
  rank: number
  tied: boolean
  club: string
  /** False when the club has fewer entries than count. */
  complete: boolean
  entries: number[]
  values: string[]
}

export interface ClubPage extends Counted {
  v: number
  rows: ClubRow[]
}

/** What charts are drawn from; every number in it is in the public standings, too. */
export type Charts = Schemas['Charts']

interface Pages {
  standings: StandingsPage
  pairings: PairingsPage
  clubs: ClubPage
  bracket: Bracket
  calendar: Calendar
  charts: Charts
}

const AT_ONCE = 4

async function snapshotPage<K extends keyof Pages>(event: string, kind: K, version: string, page: number): Promise<Pages[K]> {
  const response = await fetch(publicFile(event, kind, version, `${page}.json`))
  if (!response.ok) throw new Error(`${kind} ${version} page ${page}: HTTP ${response.status}`)
  return (await response.json()) as Pages[K]
}

/** One page of a snapshot. Versions are immutable, so the browser's cache answers a second time. */
export const standingsPage = (event: string, version: string, page: number): Promise<StandingsPage> =>
  snapshotPage(event, 'standings', version, page)

export const pairingsPage = (event: string, version: string, page: number): Promise<PairingsPage> =>
  snapshotPage(event, 'pairings', version, page)

/** All pages of one version, in order; rejects when one is missing, so that two versions are never mixed. */
async function wholeSnapshot<K extends 'standings' | 'pairings'>(event: string, kind: K, version: string): Promise<Pages[K][]> {
  const first = await snapshotPage(event, kind, version, 1)
  const pages = [first]
  for (let from = 2; from <= first.pages; from += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, first.pages - from + 1) }, (_, index) => from + index)
    pages.push(...(await Promise.all(numbers.map((page) => snapshotPage(event, kind, version, page)))))
  }
  return pages
}

export const wholeStandings = (event: string, version: string): Promise<StandingsPage[]> =>
  wholeSnapshot(event, 'standings', version)

export const wholePairings = (event: string, version: string): Promise<PairingsPage[]> =>
  wholeSnapshot(event, 'pairings', version)

/** What stands in one file: the club ranking (under the standings' version), bracket, calendar, charts. */
export const clubsPage = (event: string, standings: string): Promise<ClubPage> => snapshotPage(event, 'clubs', standings, 1)
export const bracketOf = (event: string, version: string): Promise<Bracket> => snapshotPage(event, 'bracket', version, 1)
export const calendarOf = (event: string, version: string): Promise<Calendar> => snapshotPage(event, 'calendar', version, 1)
export const chartsOf = (event: string, version: string): Promise<Charts> => snapshotPage(event, 'charts', version, 1)
