/** One club of the public 团体 page: its rank, whether it shares it, the entries counted (best first), its values. */
export interface ClubRow {
  rank: number
  tied: boolean
  club: string
  /** False when the club has fewer entries than count. */
  complete: boolean
  entries: number[]
  values: string[]
}

export interface ClubPage {
  v: number
  round: number
  rows: ClubRow[]
}
