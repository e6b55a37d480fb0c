import enMatches from './en/matches'
import enPage from './en/screen'
import enShared from './en/shared'
import { translator } from './translate'
import zhMatches from './zh/matches'
import zhPage from './zh/screen'
import zhShared from './zh/shared'

/** Texts of the screen page, with the shared ones. */
export const t = translator({ ...zhShared, ...zhMatches, ...zhPage }, { ...enShared, ...enMatches, ...enPage })
