import enPage from './en/screen'
import enShared from './en/shared'
import { translator } from './translate'
import zhPage from './zh/screen'
import zhShared from './zh/shared'

/** Texts of the screen page, with the shared ones. */
export const t = translator({ ...zhShared, ...zhPage }, { ...enShared, ...enPage })
