import type { Translation } from '../translate'
import type zh from '../zh/console-desk'

const en: Translation<typeof zh> = {
  deskTitle: 'Check-in desk',
  deskSearch: 'Number, name or last digits of the phone; Enter checks in',
  deskRepeat: 'checked in at {time} ({who})',
}

export default en
