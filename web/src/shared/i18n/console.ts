import enFrame from './en/console'
import enEntries from './en/console-entries'
import enRounds from './en/console-rounds'
import enScoring from './en/console-scoring'
import enStandings from './en/console-standings'
import enDisplay from './en/console-display'
import enSettings from './en/console-settings'
import enOptions from './en/console-options'
import enAccount from './en/console-account'
import enBoards from './en/console-boards'
import enDesk from './en/console-desk'
import enPrivacy from './en/console-privacy'
import enShared from './en/shared'
import { translator } from './translate'
import zhFrame from './zh/console'
import zhEntries from './zh/console-entries'
import zhRounds from './zh/console-rounds'
import zhScoring from './zh/console-scoring'
import zhStandings from './zh/console-standings'
import zhDisplay from './zh/console-display'
import zhSettings from './zh/console-settings'
import zhOptions from './zh/console-options'
import zhAccount from './zh/console-account'
import zhBoards from './zh/console-boards'
import zhDesk from './zh/console-desk'
import zhPrivacy from './zh/console-privacy'
import zhShared from './zh/shared'

/** Texts of the console, one catalogue per page of the menu, with the shared ones. */
export const t = translator(
  { ...zhShared, ...zhFrame, ...zhEntries, ...zhRounds, ...zhScoring, ...zhStandings, ...zhDisplay, ...zhSettings, ...zhOptions, ...zhAccount, ...zhBoards, ...zhDesk, ...zhPrivacy },
  { ...enShared, ...enFrame, ...enEntries, ...enRounds, ...enScoring, ...enStandings, ...enDisplay, ...enSettings, ...enOptions, ...enAccount, ...enBoards, ...enDesk, ...enPrivacy },
)
