import enPage from './en/ladders'
import enShared from './en/shared'
import { translator } from './translate'
import zhPage from './zh/ladders'
import zhShared from './zh/shared'

/** Texts of the ladders' pages, with the shared ones. */
export const t = translator({ ...zhShared, ...zhPage }, { ...enShared, ...enPage })
