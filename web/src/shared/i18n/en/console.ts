import type { Translation } from '../translate'
import type zh from '../zh/console'

const en: Translation<typeof zh> = {}

export default en
