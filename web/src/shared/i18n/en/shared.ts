import type { Translation } from '../translate'
import type zh from '../zh/shared'

const en: Translation<typeof zh> = {
  appName: 'Guanjun',
  loading: 'Loading…',
  retry: 'Try again',
  cancel: 'Cancel',
  confirm: 'OK',
  close: 'Close',
  back: 'Back',
  save: 'Save',
  saved: 'Saved',
  undo: 'Undo',
  undone: 'Undone',
  required: 'required',
  optional: 'optional',
  otherLanguage: '中文',
  switchLanguage: 'Switch to Chinese',
  updatedAt: 'Updated {time}',
  failedToLoad: 'Could not load',
  oldDataKept: 'Showing data from {time}',

  northSouth: 'N–S',
  eastWest: 'E–W',
  round: 'Round {round}',
  roundOf: 'Round {round} of {rounds}',
  table: 'Table {table}',
  level: 'Level',
  levelPassedA: 'A✓',
  levelLabel: 'Reached {level}',

  scoreWon: '{side} win at {level}, {difference} {difference|level|levels} ahead',
  scoreDraw: 'Both at {level}: a draw',
  scoreForfeit: '{side} forfeit',
  scoreDoubleForfeit: 'Both forfeit',
  scoreUnplayed: 'Not played',

  groupDisputed: 'Disputed',
  groupOneSided: 'One side',
  groupOpen: 'Open',
  groupPostponed: 'Postponed',
  groupConfirmed: 'Confirmed',
  groupRuled: 'Ruled',

  clockIdle: 'Clock not started',
  clockCountdown: 'Starts in',
  clockRunning: 'Time left',
  clockStopDrawing: 'Stop drawing',
  clockOver: 'Time is up',
  clockPaused: 'Paused',
  clockEnded: 'Round over',

  outboxSaved: 'Saved on this phone',
  outboxSent: 'Submitted',
  outboxConfirmed: 'Confirmed',
  outboxSynced: 'Synced',
  outboxWaiting: '{n} to send',
  outboxOffline: 'Offline',
  outboxOfflineWaiting: 'Offline · {n} to send',
  outboxHeld: 'Please identify yourself again',

  problemNetwork: 'No connection. Check the network and try again',
  problemTimeout: 'The server did not answer in time. Try again',
  problemReply: 'The server’s answer could not be read. Try again',
  problemLink: 'This link is incomplete. Scan the code again or ask the organizer',
}

export default en
