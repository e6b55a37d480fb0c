import type { Schemas } from '../shared/api'
import { t } from '../shared/i18n/ladders'
import { inLanguage } from '../shared/i18n/language'

export type Ladder = Schemas['LadderView']
export type Season = Schemas['LadderSeason']

export const ladderName = (ladder: { name: string; name_en: string }): string => inLanguage(ladder.name, ladder.name_en || ladder.name)

/** Hundredths as people read them: `1512.5`, `7`. */
export const pointsText = (hundredths: number): string => String(hundredths / 100)

/** The same of a change, with its sign. */
export const changeText = (hundredths: number): string => (hundredths > 0 ? `+${pointsText(hundredths)}` : pointsText(hundredths).replace('-', '−'))

export function methodWords(season: Season): string {
  if (season.method === 'elo') return t('methodElo', { factor: season.factor })
  return t('methodAdditive', { each: season.per_entry, most: season.most, percent: season.paid_percent })
}

export interface Place {
  ladder: string
  person: string
  season: string
}

/** What an address asks for: `/l`, `/l/{ladder}`, `/l/{ladder}/{person}`, each with `?season=`. */
export function placeOf(address: { pathname: string; search: string }): Place {
  const [ladder = '', person = ''] = address.pathname.split('/').slice(2).map(decodeURIComponent)
  return { ladder, person, season: new URLSearchParams(address.search).get('season') ?? '' }
}

export function addressOf(ladder: string, person = '', season: number | null = null): string {
  const path = ['/l', ladder, person].filter((part) => part !== '').map((part, index) => (index === 0 ? part : encodeURIComponent(part)))
  return path.join('/') + (season === null ? '' : `?season=${season}`)
}
