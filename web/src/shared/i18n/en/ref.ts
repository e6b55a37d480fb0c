import type { Translation } from '../translate'
import type zh from '../zh/ref'

const en: Translation<typeof zh> = {}

export default en
