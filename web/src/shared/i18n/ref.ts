import enPart from './en/officials'
import enPage from './en/ref'
import enShared from './en/shared'
import { translator } from './translate'
import zhPart from './zh/officials'
import zhPage from './zh/ref'
import zhShared from './zh/shared'

/** Texts of the ref page, with those it shares with the console and with all pages. */
export const t = translator({ ...zhShared, ...zhPart, ...zhPage }, { ...enShared, ...enPart, ...enPage })
