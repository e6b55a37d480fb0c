import enPage from './en/play-standings'
import enShared from './en/shared'
import { translator } from './translate'
import zhPage from './zh/play-standings'
import zhShared from './zh/shared'

/** Texts of the phone's standings, fetched with that part of the phone page; with the shared ones. */
export const t = translator({ ...zhShared, ...zhPage }, () => ({ ...enShared, ...enPage }))
