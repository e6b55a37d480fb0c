import { inLanguage } from '../i18n/language'
import { t } from '../i18n/matches'
import type { Charts } from '../snapshots'

/** A range of values, in words, and how many have such a one. */
export interface Bar {
  text: string
  count: number
}

/** A spread with its words: what it is called, what it says, what stands over the columns of its table. */
export interface SpreadWords {
  name: string
  text: string
  range: string
  count: string
  bars: Bar[]
}

const number = (n: number): string => (n < 0 ? `−${-n}` : String(n))

/** Whole numbers from `from` to below `below`; of others the end is said to be no part of it. */
function rangeText(from: number, below: number, whole: boolean): string {
  if (!whole) return `${number(from)} ~ <${number(below)}`
  return from === below - 1 ? number(from) : `${number(from)} ~ ${number(below - 1)}`
}

/** How results are spread over level points, or teams over what they rank by; null where there is nothing to show. */
export function spreadOf({ level_points, spread }: Pick<Charts, 'level_points' | 'spread'>): SpreadWords | null {
  if (level_points.some((range) => range.count > 0)) {
    const bars = level_points.map(({ from, to, count }) => ({ text: rangeText(from, to + 1, true), count }))
    return { name: t('chartSpread'), text: t('chartSpreadText'), range: t('chartRange'), count: t('chartCount'), bars }
  }
  if (!spread) return null
  const criterion = inLanguage(spread.criterion.zh, spread.criterion.en)
  return {
    name: t('chartSpreadOf', { criterion }),
    text: t('chartSpreadOfText', { criterion }),
    range: criterion,
    count: t('chartTeams'),
    bars: spread.ranges.map(({ from, below, count }) => ({ text: rangeText(from, below, spread.whole), count })),
  }
}
