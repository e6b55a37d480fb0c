import { t } from '../../shared/i18n/console'

/** The pages of an event in the order in which an event uses them; `letter` is what follows `g` on the keyboard. */
export const MENU = [
  { name: 'overview', key: 'menuOverview', letter: 'o' },
  { name: 'entries', key: 'menuEntries', letter: 'e' },
  { name: 'rounds', key: 'menuRounds', letter: 'r' },
  { name: 'scoring', key: 'menuScoring', letter: 's' },
  { name: 'standings', key: 'menuStandings', letter: 't' },
  { name: 'clubs', key: 'menuClubs', letter: 'l' },
  { name: 'display', key: 'menuDisplay', letter: 'd' },
  { name: 'boards', key: 'menuBoards', letter: 'b' },
  { name: 'payments', key: 'menuPayments', letter: 'p' },
  { name: 'files', key: 'menuFiles', letter: 'f' },
  { name: 'series', key: 'menuSeries', letter: 'i' },
  { name: 'settings', key: 'menuSettings', letter: 'c' },
] as const

export const menuWords = (item: (typeof MENU)[number]): string => t(item.key)

/** What an event of this kind has: boards are set for duplicate events only, clubs ranked and fees taken online where that
 * is switched on. */
export const menuFor = (settings: readonly string[], clubRanking = false, online = false): (typeof MENU)[number][] =>
  MENU.filter(
    (item) =>
      (item.name !== 'boards' || settings.includes('duplicate_scale')) &&
      (item.name !== 'clubs' || clubRanking) &&
      (item.name !== 'payments' || online),
  )
