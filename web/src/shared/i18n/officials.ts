import enPart from './en/officials'
import enShared from './en/shared'
import { translator } from './translate'
import zhPart from './zh/officials'
import zhShared from './zh/shared'

/** Texts of what the referee's page and the console share, with the shared ones. */
export const t = translator({ ...zhShared, ...zhPart }, { ...enShared, ...enPart })
