import { t } from '../../shared/i18n/console'
import type { DisplayView } from '../../shared/pulse'
import type { EventView } from '../frame/event-context'

type Settings = EventView['settings']

/** Does everybody meet everybody, so that the whole calendar is known beforehand? */
export const hasCalendar = ({ kind, meets_by, knockout }: Settings): boolean =>
  !knockout && (['round_robin', 'league'].includes(kind) || (kind === 'team_of_four' && meets_by === 'round_robin'))

/** What this event can show, in the order of a match day: bracket and calendar where there is one, clubs that rank. */
export function viewsFor(settings: Settings): DisplayView[] {
  const views: DisplayView[] = ['clock', 'pairings', 'names', 'standings']
  if (settings.knockout) views.push('bracket')
  if (hasCalendar(settings)) views.push('calendar')
  if (settings.club_ranking.on) views.push('clubs')
  return [...views, 'chart', 'winners', 'rules', 'qr', 'picture', 'blank']
}

export function viewWords(view: DisplayView): string {
  switch (view) {
    case 'clock':
      return t('viewClock')
    case 'pairings':
      return t('viewPairings')
    case 'names':
      return t('viewNames')
    case 'standings':
      return t('viewStandings')
    case 'clubs':
      return t('viewClubs')
    case 'winners':
      return t('viewWinners')
    case 'rules':
      return t('viewRules')
    case 'qr':
      return t('viewQr')
    case 'picture':
      return t('viewPicture')
    case 'chart':
      return t('viewChart')
    case 'bracket':
      return t('viewBracket')
    case 'calendar':
      return t('viewCalendar')
    case 'blank':
      return t('viewBlank')
  }
}

/** Views of several pictures, which page by themselves. */
export const isPaged = (view: DisplayView): boolean =>
  ['pairings', 'names', 'standings', 'clubs', 'rules', 'chart', 'bracket', 'calendar'].includes(view)

/** The summary of the winners is the second picture of their view. */
export const SUMMARY_PAGE = 2

/** Why winners are not final: the newest round is not settled, or is not the last one. Null once they are. */
export function ranksMayMove({ phase, rounds, settings }: Pick<EventView, 'phase' | 'rounds' | 'settings'>): 'open' | 'early' | null {
  const last = rounds[rounds.length - 1]
  if (phase === 'ended' || !last) return null
  if (last.phase !== 'settled') return 'open'
  return last.number < settings.rounds ? 'early' : null
}
