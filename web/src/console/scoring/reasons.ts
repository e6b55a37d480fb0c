import { t } from '../../shared/i18n/console'

/** Why a result is ruled or corrected: what happens most often, and a line of one's own. */
export const REASONS = ['swapped', 'missed', 'forfeit', 'ruling', 'slip'] as const
export type Reason = (typeof REASONS)[number]

export function reasonWords(reason: Reason): string {
  const words: Record<Reason, string> = {
    swapped: t('reasonSwapped'),
    missed: t('reasonMissed'),
    forfeit: t('reasonForfeit'),
    ruling: t('reasonRuling'),
    slip: t('reasonSlip'),
  }
  return words[reason]
}
