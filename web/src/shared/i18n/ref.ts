import enPage from './en/ref'
import enShared from './en/shared'
import { translator } from './translate'
import zhPage from './zh/ref'
import zhShared from './zh/shared'

/** Texts of the ref page, with the shared ones. */
export const t = translator({ ...zhShared, ...zhPage }, { ...enShared, ...enPage })
