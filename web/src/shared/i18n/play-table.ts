import enPage from './en/play-table'
import enShared from './en/shared'
import { translator } from './translate'
import zhPage from './zh/play-table'
import zhShared from './zh/shared'

/** Texts of the own table, fetched with that part of the phone page; with the shared ones. */
export const t = translator({ ...zhShared, ...zhPage }, () => ({ ...enShared, ...enPage }))
