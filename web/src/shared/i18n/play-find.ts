import enPage from './en/play-find'
import enShared from './en/shared'
import { translator } from './translate'
import zhPage from './zh/play-find'
import zhShared from './zh/shared'

/** Texts of finding oneself, fetched with that part of the phone page; with the shared ones. */
export const t = translator({ ...zhShared, ...zhPage }, () => ({ ...enShared, ...enPage }))
