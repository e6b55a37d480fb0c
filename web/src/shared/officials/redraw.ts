import type { Schemas } from '../api'
import { inLanguage } from '../i18n/language'
import { t } from '../i18n/officials'
import { showToast } from '../ui/toasts'

/** A round of a knock-out with the tables of the round before it that were corrected so that others go on. */
export type MaybeOutdated = Pick<Schemas['TableGrid'], 'outdated_by'>

/** Why a round has to be drawn again. */
export const redrawText = (round: number, { outdated_by }: MaybeOutdated): string =>
  t('redrawRound', { round, before: round - 1, tables: outdated_by.join(inLanguage('、', ', ')) })

/** Says it to whoever made the correction; it stays until it is put away. */
export function sayRedraw(ruled: Pick<Schemas['TableView'], 'redraw'>): void {
  if (typeof ruled.redraw === 'number') showToast(t('redrawNow', { round: ruled.redraw }), 'error')
}
