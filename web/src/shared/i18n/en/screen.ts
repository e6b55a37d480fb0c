import type { Translation } from '../translate'
import type zh from '../zh/screen'

const en: Translation<typeof zh> = {}

export default en
