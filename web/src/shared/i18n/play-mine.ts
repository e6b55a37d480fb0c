import enPage from './en/play-mine'
import enShared from './en/shared'
import { translator } from './translate'
import zhPage from './zh/play-mine'
import zhShared from './zh/shared'

/** Texts of the phone's own rounds and person, fetched with that part of the phone page; with the shared ones. */
export const t = translator({ ...zhShared, ...zhPage }, () => ({ ...enShared, ...enPage }))
