import type { Translation } from '../translate'
import type zh from '../zh/console-clubs'

const en: Translation<typeof zh> = {
  menuClubs: 'Clubs',
  clubsPageText: 'The best teams of each club add up; how many is set under Settings · Prizes.',
  clubFile: 'Edit the list of clubs as a spreadsheet',
  clubFileText: 'Download the template (with the clubs there are), edit and import it. It takes the place of the list; entries keep their club.',
  downloadClubs: 'Download template',
  importClubs: 'Import clubs',
  clubImportTitle: 'Import of clubs: please check',
  clubImportGood: '{rows} {rows|row|rows} read, {n} {n|club|clubs}, no faults.',
  clubImportBad: '{rows} {rows|row|rows} read, {n} {n|fault|faults}. Correct the file and import it again; nothing was changed.',
  clubNew: 'new',
  clubsGone: 'Will leave the list: {names}',
  clubNamesOnly: 'This event is encrypted: clubs are kept under opaque ids; short names, leaders and phones are not kept.',
  clubCommit: 'Replace the list ({n} {n|club|clubs})',
  clubsImported: 'The list now has {n} {n|club|clubs}',
  clubDetails: 'Clubs and their leaders',
  moreClubs: '{n} more {n|club|clubs}',
  clubRankingOff: 'The club ranking is off',
  clubRankingOffText: 'Switch it on under Settings · Prizes.',
  actImportClubs: 'imported the list of clubs',
}

export default en
