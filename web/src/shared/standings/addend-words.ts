import { t } from '../i18n/addends'

const SAID = [
  ['win over', 'whyWin'],
  ['draw with', 'whyDraw'],
  ['loss to', 'whyLoss'],
  ['walkover, forfeited by', 'whyWalkover'],
  ['forfeit against', 'whyForfeit'],
  ['total of', 'whyTotal'],
] as const
const ALONE: Record<string, 'bye' | 'sitOut' | 'absent'> = { bye: 'bye', 'sit-out': 'sitOut', absent: 'absent' }

/** The server's reason of an addend (`win over 7`) in the page's language, with the opponent's name. */
export function reasonOf(why: string, names: ReadonlyMap<number, string>): string {
  const alone = ALONE[why]
  if (alone) return t(alone)
  if (why.startsWith('adjustment')) {
    // Everybody but officials is told that there was one, not what was written about it; a document may give no reason.
    const reason = why.replace(/^adjustment:?\s*/, '')
    return reason === '' ? t('whyAdjusted') : t('whyAdjustment', { reason })
  }
  for (const [words, key] of SAID) {
    if (!why.startsWith(`${words} `)) continue
    const opponents = why
      .slice(words.length + 1)
      .split(' and ')
      .map((number) => `${number} ${names.get(Number(number)) ?? ''}`.trim())
    return t(key, { name: opponents.join(t('listComma')) })
  }
  return why
}
