import type { Schemas } from './api'
import { t } from './i18n/shared'

export type TableView = Schemas['TableView']
export type TableGroup = 'disputed' | 'one_sided' | 'open' | 'postponed' | 'confirmed' | 'ruled'

/** Problems first: what somebody has to look at, then what is only not finished, then what is done. */
export const TABLE_GROUPS: TableGroup[] = ['disputed', 'one_sided', 'open', 'postponed', 'confirmed', 'ruled']

/** The group in which officials count and colour a table; a postponed one is no longer open. */
export function tableGroup(table: TableView): TableGroup {
  if (table.postponed !== null && table.state !== 'ruled' && table.state !== 'confirmed') return 'postponed'
  return table.state as TableGroup
}

/** Does this table keep its round from being settled? */
export function isUnfinished(table: TableView): boolean {
  return ['disputed', 'one_sided', 'open'].includes(tableGroup(table))
}

export function tableGroupWords(group: TableGroup): string {
  switch (group) {
    case 'disputed':
      return t('groupDisputed')
    case 'one_sided':
      return t('groupOneSided')
    case 'open':
      return t('groupOpen')
    case 'postponed':
      return t('groupPostponed')
    case 'confirmed':
      return t('groupConfirmed')
    default:
      return t('groupRuled')
  }
}

export function countTables(tables: TableView[]): Record<TableGroup, number> {
  const counts: Record<TableGroup, number> = { disputed: 0, one_sided: 0, open: 0, postponed: 0, confirmed: 0, ruled: 0 }
  tables.forEach((table) => {
    counts[tableGroup(table)] += 1
  })
  return counts
}
