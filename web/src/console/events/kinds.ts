import { shallowRef } from 'vue'
import { api, type Schemas } from '../../shared/api'
import { inLanguage } from '../../shared/i18n/language'
import { t } from '../../shared/i18n/console'

export type Kind = Schemas['KindView']

/** The ten kinds of event; read once, they change with the program only. */
export const kinds = shallowRef<Kind[]>([])

export async function loadKinds(): Promise<void> {
  if (kinds.value.length === 0) kinds.value = (await api.get('/api/kinds')).kinds
}

export function kindOf(code: string): Kind | undefined {
  return kinds.value.find((kind) => kind.code === code)
}

export function kindName(code: string): string {
  const kind = kindOf(code)
  return kind ? inLanguage(kind.zh, kind.en) : code
}

const ABOUT = {
  pairs: 'kindPairs',
  individual: 'kindIndividual',
  round_robin: 'kindRoundRobin',
  rotation: 'kindRotation',
  open_ended: 'kindOpenEnded',
  league: 'kindLeague',
  clubs: 'kindClubs',
  team_of_four: 'kindTeamOfFour',
  mitchell: 'kindMitchell',
  swiss_deviation: 'kindSwissDeviation',
} as const

/** One sentence that tells an organizer whether this is the kind he means. */
export function kindAbout(code: string): string {
  return code in ABOUT ? t(ABOUT[code as keyof typeof ABOUT]) : ''
}
