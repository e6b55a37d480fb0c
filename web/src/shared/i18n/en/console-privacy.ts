import type { Translation } from '../translate'
import type zh from '../zh/console-privacy'

const en: Translation<typeof zh> = {
  encryption: 'Encryption',
  encryptionOffText:
    'Not encrypted. Once it is, only who has the digits sees names, phones and club names; everybody else (projection, standings and check-in too) sees numbers. It cannot be undone.',
  encryptionOnText: 'Encrypted. Without the digits only numbers show; players find themselves by phone.',
  encryptionOwner: 'Only the owner can encrypt the event or change its digits.',
  encryptEvent: 'Encrypt this event',
  encryptText:
    'The roster is sealed at once, and public pairings and standings show numbers only. Replies kept for retries vanish within 48 hours.',
  encryptedNow: 'The new digits hold now',
  changeDigits: 'Change the digits',
  changeDigitsText: 'No entry is lost; the old digits stop working.',
  digitsLostText:
    'The old digits were not entered: names and phones so far become unreadable for ever, only numbers stay. If you still have the old digits, go back and unlock first.',
  newDigits: 'New digits',
  shownOnce: 'They are shown only this once. We do not keep them and cannot find them again. Write them down.',
  digitsNoted: 'I have written them down',
  digits: 'Digits',
  locked: 'Encrypted · locked',
  lockedText: 'Only numbers show. Enter the digits to see names and phones.',
  unlocked: 'Encrypted · unlocked',
  unlockedText: 'The digits stay in this page only; after a reload they are asked for again.',
  unlockNames: 'Unlock',
  lockAgain: 'Lock',
  personData: 'Personal data',
  exportPerson: 'Export personal data',
  erasePerson: 'Erase personal data',
  eraseText:
    'Name, phone and registered devices of “{name}” are erased; every page and public file shows the number instead. Results and ranks stay. It cannot be undone.',
  personErased: 'Erased; now shown as {name}',
}

export default en
