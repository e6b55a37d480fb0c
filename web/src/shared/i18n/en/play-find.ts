import type { Translation } from '../translate'
import type zh from '../zh/play-find'

const en: Translation<typeof zh> = {
  findTitle: 'Find yourself first',
  findLead: 'This phone will remember you',
  findLeadSignIn: 'This event asks you to sign in with your phone before you check in and score',
  findPhone: 'Phone number',
  findName: 'Name',
  findNameOrPhone: 'Name or phone number',
  findHintPhone: 'The 11 digits given at registration',
  findHint: 'As given at registration; same names are all listed',
  findEmpty: 'Type something first',
  findGo: 'Find',
  isThisYou: 'Is this you?',
  sameNames: "{n} people found. Look at the partner and the phone's last digits",
  severalEvents: '{n} entries found; choose the event you play now',
  entryNumber: 'No. {number}',
  partner: 'Partner',
  team: 'Team',
  club: 'Club',
  phone: 'Phone',
  thisIsMe: 'This is me',
  thisIsMeNumber: ', number {number}',
  noneOfThese: 'None of these? Try your phone number, or ask at the desk',
  signInTitle: 'Sign in first',
  signInText: 'The organizer asks for a sign-in before checking in and scoring. Use the phone you are entered with',
  signInPhone: 'Phone number',
  signInSend: 'Send me a code',
  signInCode: 'Code',
  signInCodeHint: 'The 6 digits of the text message, good for 5 minutes',
  signInGo: 'Sign in and go on',
  signInOtherPhone: 'Another phone number',
}

export default en
