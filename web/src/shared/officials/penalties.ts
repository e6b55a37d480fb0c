import type { Schemas } from '../api'
import { language } from '../i18n/language'
import { t } from '../i18n/officials'
import { signed } from '../score-words'

export type Adjustment = Schemas['AdjustmentView']
export type NewAdjustment = Schemas['NewAdjustment']

/** An amount as people write it: +1, −0.5. */
export const amountText = (amount: number): string => signed(amount)

/** A criterion by its name in the language of the page; one the list does not offer (any more) by its code. */
export function criterionWords(criteria: readonly Schemas['Labelled'][], code: string): string {
  const found = criteria.find((one) => one.code === code)
  return found ? (language.value === 'zh' ? found.zh : found.en) : code
}

/** One adjustment in the fewest words: 甲队 场分 −1. */
export function adjustmentText(one: Pick<Adjustment, 'name' | 'criterion' | 'amount'>, criteria: readonly Schemas['Labelled'][]): string {
  return t('penaltyAct', { name: one.name, criterion: criterionWords(criteria, one.criterion), amount: amountText(one.amount) })
}

const MOST = 1000

/** A typed amount (`0.5`, `２`, `1,5`) as a positive multiple of 0.5 up to 1000, or null. */
export function parseAmount(typed: string): number | null {
  const text = typed
    .trim()
    .replace(/[０-９．]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xfee0))
    .replace(',', '.')
  if (!/^\d{1,4}(\.\d)?$/.test(text)) return null
  const amount = Number(text)
  return amount > 0 && amount <= MOST && Number.isInteger(amount * 2) ? amount : null
}
