import type { Schemas } from '../../shared/api'
import { t } from '../../shared/i18n/console'

export type Table = Schemas['TableView']
export type Score = Schemas['Score']
export type TableGroup = 'disputed' | 'one_sided' | 'open' | 'postponed' | 'confirmed' | 'ruled'

/** Problems first: what somebody has to look at stands before what is only not finished, before what is done. */
export const GROUPS: TableGroup[] = ['disputed', 'one_sided', 'open', 'postponed', 'confirmed', 'ruled']

/** The group in which a table is counted and coloured; a postponed one is no longer open. */
export function groupOf(table: Table): TableGroup {
  if (table.postponed !== null && table.state !== 'ruled' && table.state !== 'confirmed') return 'postponed'
  return table.state as TableGroup
}

/** Does this table keep its round from being settled? */
export function isOpen(table: Table): boolean {
  return ['disputed', 'one_sided', 'open'].includes(groupOf(table))
}

export function groupWords(group: TableGroup): string {
  const words: Record<TableGroup, string> = {
    disputed: t('tableDisputed'),
    one_sided: t('tableOneSided'),
    open: t('tableOpen'),
    postponed: t('tablePostponed'),
    confirmed: t('tableConfirmed'),
    ruled: t('tableRuled'),
  }
  return words[group]
}

export function groupTone(group: TableGroup): 'neutral' | 'good' | 'warn' | 'bad' | 'info' {
  const tones = { disputed: 'bad', one_sided: 'warn', open: 'neutral', postponed: 'info', confirmed: 'good', ruled: 'good' } as const
  return tones[group]
}

export function countGroups(tables: Table[]): Record<TableGroup, number> {
  const counts: Record<TableGroup, number> = { disputed: 0, one_sided: 0, open: 0, postponed: 0, confirmed: 0, ruled: 0 }
  tables.forEach((table) => {
    counts[groupOf(table)] += 1
  })
  return counts
}

export const levelWords = (level: string | null): string => (level === 'A+' ? t('levelPassedA') : (level ?? '–'))

/** `10 : A`, or what happened instead of playing. */
export function scoreText(score: Score): string {
  switch (score.outcome) {
    case 'played':
      return `${levelWords(score.ns_level)} : ${levelWords(score.ew_level)}`
    case 'ns_forfeit':
      return t('outcomeNsForfeit')
    case 'ew_forfeit':
      return t('outcomeEwForfeit')
    case 'double_forfeit':
      return t('outcomeDoubleForfeit')
    default:
      return t('outcomeUnplayed')
  }
}

/** The name of an entry at a table: its own, else its players'. */
export function seatName(seat: Schemas['SeatedEntry']): string {
  return seat.name || seat.players.join(' / ')
}
