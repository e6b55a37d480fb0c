import enPage from './en/pay'
import enShared from './en/shared'
import { translator } from './translate'
import zhPage from './zh/pay'
import zhShared from './zh/shared'

/** Texts of paying online, loaded with it, and the shared ones. */
export const t = translator({ ...zhShared, ...zhPage }, { ...enShared, ...enPage })
