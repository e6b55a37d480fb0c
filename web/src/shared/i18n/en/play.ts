import type { Translation } from '../translate'
import type zh from '../zh/play'

const en: Translation<typeof zh> = {
  wrongCode: 'There is no such event',
  wrongCodeHint: 'Scan the code on the big screen or the one the organizer gave you. If somebody sent you this link, ask for it again',
  cannotOpen: 'Cannot open right now',
  offlineData: 'No network. This is from {time}; go on as usual, everything is sent once you are back online',
  tabs: 'Pages',
  tabTable: 'Table',
  tabFind: 'Find me',
  tabStandings: 'Standings',
  tabMine: 'Me',
  checkedIn: 'Checked in',
  tableNumber: 'Table',
  roundSeat: 'Round {round} · sit {side}',
  tableLater: 'Your table appears here once the round is published',
  goOn: 'Go on',
  byeTitle: 'Bye this round',
}

export default en
