import enPart from './en/table-reasons'
import { translator } from './translate'
import zhPart from './zh/table-reasons'

/** Texts of why a table is what it is, which the console and the phone say alike. */
export const t = translator({ ...zhPart }, () => ({ ...enPart }))
