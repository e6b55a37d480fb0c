import enPart from './en/counted'
import { translator } from './translate'
import zhPart from './zh/counted'

/** Texts of how far a ranking has come, which every page says alike. */
export const t = translator({ ...zhPart }, () => ({ ...enPart }))
