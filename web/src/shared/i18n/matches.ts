import enMatches from './en/matches'
import enShared from './en/shared'
import { translator } from './translate'
import zhMatches from './zh/matches'
import zhShared from './zh/shared'

/** Texts of brackets, calendars and charts, which console, projection and event page show alike. */
export const t = translator({ ...zhShared, ...zhMatches }, { ...enShared, ...enMatches })
