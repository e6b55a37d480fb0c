import type { Translation } from '../translate'
import type zh from '../zh/play'

const en: Translation<typeof zh> = {
  wrongCode: 'There is no such event',
  wrongCodeHint: 'Scan the code on the big screen or the one the organizer gave you. If somebody sent you this link, ask for it again',
  cannotOpen: 'Cannot open right now',
  tabs: 'Pages',
  tabTable: 'Table',
  tabFind: 'Find me',
  tabStandings: 'Standings',
  tabMine: 'Me',
}

export default en
