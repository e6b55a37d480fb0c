import type { Translation } from '../translate'
import type zh from '../zh/play'

const en: Translation<typeof zh> = {}

export default en
