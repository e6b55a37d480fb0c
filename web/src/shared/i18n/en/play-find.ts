import type { Translation } from '../translate'
import type zh from '../zh/play-find'

const en: Translation<typeof zh> = {
  findTitle: 'Find yourself first',
  findLead: 'This phone will remember you',
  findPhone: 'Phone number',
  findName: 'Name',
  findNameOrPhone: 'Name or phone number',
  findHintPhone: 'The 11 digits given at registration',
  findHint: 'As given at registration; same names are all listed',
  findEmpty: 'Type something first',
  findGo: 'Find',
  isThisYou: 'Is this you?',
  sameNames: '{n} people found. Look at the partner and the phone’s last digits',
  entryNumber: 'No. {number}',
  partner: 'Partner',
  team: 'Team',
  club: 'Club',
  phone: 'Phone',
  thisIsMe: 'This is me',
  thisIsMeNumber: ', number {number}',
  noneOfThese: 'None of these? Try your phone number, or ask at the desk',
}

export default en
