import enPage from './en/home'
import enShared from './en/shared'
import { translator } from './translate'
import zhPage from './zh/home'
import zhShared from './zh/shared'

/** Texts of the home page and of the public event pages, with the shared ones. */
export const t = translator({ ...zhShared, ...zhPage }, { ...enShared, ...enPage })
