import type { Translation } from '../translate'
import type zh from '../zh/play-mine'

const en: Translation<typeof zh> = {
  entryNumber: 'No. {number}',
  checkedInAt: 'Checked in at {time}',
  myRounds: 'My rounds',
  noRounds: 'Nothing played yet',
  versus: 'v. {name}',
  byeShort: 'Bye',
  notPlayed: 'No seat',
  stateOpen: 'open',
  stateOneSided: 'one side',
  stateDisputed: 'disputed',
  stateConfirmed: 'confirmed',
  stateRuled: 'ruled',
  won: 'won',
  lost: 'lost',
  drawn: 'draw',
  whoAmI: 'The player on this phone',
  deskCode: 'The desk scans this code to check you in',
  deskCodeAlt: 'Check-in code of No. {number}',
  seriesStages: 'The other stages. Once you go on, this is the way there.',
  alsoEntered: 'You are also entered in',
  notMe: 'Not me?',
  notMeTitle: 'Somebody else',
  notMeText: 'This phone will forget {name}; you search again. Submitted scores stay as they are',
  notMeWaiting: '{n} {n|score has|scores have} not been sent yet and would be lost',
  notMeGo: 'Forget and search again',
  notMeFailed: 'This needs the network: {why}',
  askCorrection: 'Ask for a correction',
  correctionAsked: 'Correction asked for',
  sitOutShort: 'Sitting out',
  whyThisTable: 'Why this table',
  whyThisBye: 'Why this bye',
}

export default en
