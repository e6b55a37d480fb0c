import enPage from './en/console'
import enShared from './en/shared'
import { translator } from './translate'
import zhPage from './zh/console'
import zhShared from './zh/shared'

/** Texts of the console page, with the shared ones. */
export const t = translator({ ...zhShared, ...zhPage }, { ...enShared, ...enPage })
