import type { Translation } from '../translate'
import type zh from '../zh/play-standings'

const en: Translation<typeof zh> = {
  standingsTitle: 'Standings',
  standingsAfter: '{round} {round|round|rounds} counted',
  standingsLive: 'with scores not yet submitted',
  standingsNone: 'No standings yet',
  standingsNoneHint: 'They appear here once the first table has confirmed its score',
  tied: 'tied',
  goToMine: 'Show my place',
  pageOf: 'Page {page}/{pages}',
  previousPage: 'Previous page',
  nextPage: 'Next page',
  movedUp: 'up {n}',
  movedDown: 'down {n}',
}

export default en
