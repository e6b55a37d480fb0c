import en from './en/shared'
import { translator } from './translate'
import zh from './zh/shared'

/** Texts that several pages and the shared components use. */
export const t = translator(zh, en)
