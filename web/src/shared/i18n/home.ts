import enPage from './en/home'
import enMatches from './en/matches'
import enShared from './en/shared'
import { translator } from './translate'
import zhPage from './zh/home'
import zhMatches from './zh/matches'
import zhShared from './zh/shared'

/** Texts of the home page and of the public event pages, with the shared ones. */
export const t = translator({ ...zhShared, ...zhMatches, ...zhPage }, { ...enShared, ...enMatches, ...enPage })
