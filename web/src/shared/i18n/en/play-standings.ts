import type { Translation } from '../translate'
import type zh from '../zh/play-standings'

const en: Translation<typeof zh> = {
  standingsTitle: 'Standings',
  standingsLive: 'with scores not yet submitted',
  standingsNone: 'No standings yet',
  standingsNoneHint: 'They appear here once the first table has confirmed its score',
  standingsFrozen: 'The standings are frozen: later results are announced after the event',
  provisional: 'live',
  groupNamed: 'Group {group}',
  tied: 'tied',
  goToMine: 'Show my place',
  pageOf: 'Page {page}/{pages}',
  previousPage: 'Previous page',
  nextPage: 'Next page',
  movedUp: 'up {n}',
  movedDown: 'down {n}',
}

export default en
