import type { Schemas } from '../../shared/api'
import { t } from '../../shared/i18n/console'

type Tone = 'good' | 'warn' | 'neutral' | 'info'

/** `¥65.50`, of fen. */
export const moneyText = (fen: number): string => t('moneyOf', { amount: (fen / 100).toFixed(2) })

/** The word for an order's state, and how it looks. */
export function orderState(state: string): { tone: Tone; words: string } {
  switch (state) {
    case 'paid':
      return { tone: 'good', words: t('orderPaid') }
    case 'closed':
      return { tone: 'neutral', words: t('orderClosed') }
    case 'refunding':
      return { tone: 'warn', words: t('orderRefunding') }
    case 'refunded':
      return { tone: 'info', words: t('orderRefunded') }
    default:
      return { tone: 'warn', words: t('orderUnpaid') }
  }
}

/** Why an order's money goes back; null where it does not. */
export function orderReason(order: Pick<Schemas['OrderLine'], 'reason'>): string | null {
  switch (order.reason) {
    case 'withdrawn':
      return t('reasonWithdrawn')
    case 'late':
      return t('reasonLate')
    case 'amount':
      return t('reasonAmount')
    case 'organizer':
      return t('reasonOrganizer')
    default:
      return null
  }
}
