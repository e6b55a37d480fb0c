import { t } from '../../shared/i18n/console'

/** What can be printed, in the order in which an event needs it. */
export const SHEETS = ['cards', 'slips', 'pairings', 'names', 'standings', 'certificates'] as const
export type Sheet = (typeof SHEETS)[number]

export function sheetWords(sheet: Sheet): { name: string; text: string } {
  switch (sheet) {
    case 'cards':
      return { name: t('printCards'), text: t('printCardsText') }
    case 'slips':
      return { name: t('printSlips'), text: t('printSlipsText') }
    case 'pairings':
      return { name: t('printPairings'), text: t('printPairingsText') }
    case 'names':
      return { name: t('printNames'), text: t('printNamesText') }
    case 'standings':
      return { name: t('printStandings'), text: t('printStandingsText') }
    case 'certificates':
      return { name: t('printCertificates'), text: t('printCertificatesText') }
  }
}

export const isSheet = (value: unknown): value is Sheet => SHEETS.includes(value as Sheet)

/** Numbers from `first` to `last`, none when that is no range; at most `most`, so that a slip of the finger prints no book. */
export function tableNumbers(first: string, last: string, most = 5000): number[] {
  const [from, to] = [Number(first), Number(last)]
  if (!Number.isInteger(from) || !Number.isInteger(to) || from < 1 || to < from || to - from >= most) return []
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

export function inGroupsOf<T>(all: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))
}
