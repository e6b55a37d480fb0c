import type { Schemas } from '../../shared/api'
import { inLanguage } from '../../shared/i18n/language'

export type Ladder = Schemas['LadderView']
export type Season = Schemas['LadderSeason']
export type Parameters = Required<Schemas['Parameters']>

export const USUAL: Parameters = { method: 'additive', per_entry: 1, most: 200, paid_percent: 50, factor: 24 }

/** How a season counts, apart from its name and times. */
export const parametersOf = (season: Season): Parameters => ({
  method: season.method,
  per_entry: season.per_entry,
  most: season.most,
  paid_percent: season.paid_percent,
  factor: season.factor,
})
export const ladderName = (ladder: Ladder): string => inLanguage(ladder.name, ladder.name_en || ladder.name)

/** The season for which events count now. */
export const openSeason = (ladder: Ladder): Season | null => {
  const latest = ladder.seasons[0]
  return latest !== undefined && latest.closed_at === null ? latest : null
}
