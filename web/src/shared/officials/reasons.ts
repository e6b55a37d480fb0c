import { t } from '../i18n/officials'

/** Why a result is ruled or corrected: what happens most often, and a line of one's own (`other`). */
export const REASONS = ['swapped', 'missed', 'slip', 'forfeit', 'penalty', 'other'] as const
export type Reason = (typeof REASONS)[number]

export function reasonWords(reason: Reason): string {
  const words: Record<Reason, string> = {
    swapped: t('reasonSwapped'),
    missed: t('reasonMissed'),
    slip: t('reasonSlip'),
    forfeit: t('reasonForfeit'),
    penalty: t('reasonPenalty'),
    other: t('reasonOther'),
  }
  return words[reason]
}
