import { t } from '../i18n/counted'

/** How far a ranking has come. Snapshots of old do not say how much of their round they count. */
export interface Counted {
  round: number
  counts?: 'nothing' | 'part' | 'all'
}

/** After which round the ranking stands, or which one it is changing with. */
export function countedWords({ round, counts = 'all' }: Counted): string {
  if (counts === 'part') return t('countedPart', { round })
  const complete = counts === 'nothing' ? round - 1 : round
  return complete < 1 ? t('countedBefore', { round: 1 }) : t('countedAll', { round: complete })
}
