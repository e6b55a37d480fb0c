import type { Translation } from '../translate'
import type zh from '../zh/ref'

const en: Translation<typeof zh> = {
  refTitle: 'Referee',
  noEvent: 'This referee link is incomplete',
  noEventHint: 'Ask the organizer for the referee link or its QR code again',
  linkInvalid: 'The link no longer works',
  linkInvalidHint: 'The organizer may have renewed the referee link. Ask for the new one',
  notReferee: 'This link is not for referees',
  notRefereeHint: 'Open the page by the referee link',
  offlineData: 'No network. Data from {time}; rulings are kept and sent once you are back online',

  allTables: 'All',
  filters: 'Filter by state',
  jumpTo: 'Go to table',
  open: 'Open',
  noSuchTable: 'There is no table {table}',
  noTables: 'No tables published yet',
  noTablesHint: 'They appear here by themselves once published',
  noneInFilter: 'No table is in this state',
  earlierRound: 'You are looking at round {round}',
  backToRound: 'Back to the round in play',
  byes: 'Byes',
  orderNumber: 'Order: table',
  orderAge: 'Order: longest wait',
  pending: 'to send',

  refereeWho: 'Say who you are',
  refereeIs: 'I am referee {name}',
  refereeName: 'Name',
  refereeNameHint: 'Such as A, or your surname. Other referees and the players who called see it when you take a call; it is kept on this device only. Leave it empty to show none',
  refereeSave: 'Keep it',

  rejected: 'Not accepted: {words}',
  rejectedStale: 'Somebody has just changed this table. Look at it and decide again',
  look: 'Look',
  putAway: 'OK',
  cannotKeep: 'This device cannot keep it; nothing was done: {why}',
}

export default en
