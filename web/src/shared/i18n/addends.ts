import enPart from './en/addends'
import { translator } from './translate'
import zhPart from './zh/addends'

/** Texts of what a number of the ranking was summed from, which console, phone and event page say alike. */
export const t = translator({ ...zhPart }, () => ({ ...enPart }))
