import enPage from './en/play'
import enShared from './en/shared'
import { translator } from './translate'
import zhPage from './zh/play'
import zhShared from './zh/shared'

/** Texts of the play page, with the shared ones. */
export const t = translator({ ...zhShared, ...zhPage }, () => ({ ...enShared, ...enPage }))
