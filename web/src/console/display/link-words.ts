import { t } from '../../shared/i18n/console'

/** What a link is called and what it is for. */
export function linkWords(role: string): { name: string; text: string } {
  switch (role) {
    case 'play':
      return { name: t('linkPlay'), text: t('linkPlayText') }
    case 'registration':
      return { name: t('linkRegistration'), text: t('linkRegistrationText') }
    case 'referee':
      return { name: t('linkReferee'), text: t('linkRefereeText') }
    case 'desk':
      return { name: t('linkDesk'), text: t('linkDeskText') }
    case 'display':
      return { name: t('linkDisplay'), text: t('linkDisplayText') }
    default:
      return { name: role, text: '' }
  }
}
