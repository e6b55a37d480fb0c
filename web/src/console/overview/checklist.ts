import type { RouteLocationRaw } from 'vue-router'
import type { Schemas } from '../../shared/api'
import { t } from '../../shared/i18n/console'
import { inLanguage } from '../../shared/i18n/language'
import type { EventView } from '../frame/event-context'
import { kindOf } from '../events/kinds'
import { countTables } from '../../shared/table-groups'

export interface Check {
  id: string
  state: 'done' | 'open' | 'blocking' | 'info'
  words: string
  to: RouteLocationRaw
}

/** What is in order and what is in the way, each with the place where it is dealt with. */
export function checklist(event: EventView, grid: Schemas['TableGrid'] | null): Check[] {
  const checks: Check[] = [
    {
      id: 'entries',
      state: event.entries >= 2 ? 'done' : 'blocking',
      words: t('checkEntries', { n: event.entries }),
      to: { name: 'entries' },
    },
  ]
  if (event.entries > 0) {
    checks.push({
      id: 'check-in',
      state: event.checked_in >= event.entries ? 'done' : 'info',
      words: t('checkCheckedIn', { n: event.checked_in, all: event.entries }),
      to: { name: 'entries', query: { show: 'absent' } },
    })
  }
  const offered = kindOf(event.settings.kind)?.criteria ?? []
  const names = event.settings.criteria.map((code) => {
    const known = offered.find((criterion) => criterion.code === code)
    return known ? inLanguage(known.zh, known.en) : code
  })
  checks.push({
    id: 'criteria',
    state: 'done',
    words: t('checkCriteria', { names: names.join(t('listComma')) }),
    to: { name: 'settings', params: { group: 'basics' } },
  })
  const last = event.rounds[event.rounds.length - 1]
  if (last?.phase === 'draft') {
    checks.push({
      id: 'draft',
      state: 'blocking',
      words: last.outdated_by.length > 0 ? t('checkRedraw', { round: last.number }) : t('checkDraft', { round: last.number }),
      to: { name: 'rounds', params: { number: last.number } },
    })
  }
  const playing = last?.phase === 'published' || last?.phase === 'playing'
  if (playing && grid !== null && grid.round === last.number) checks.push(...tableChecks(grid))
  return checks
}

function tableChecks(grid: Schemas['TableGrid']): Check[] {
  const counts = countTables(grid.tables)
  const at = (show: string): RouteLocationRaw => ({ name: 'scoring', query: { show } })
  const checks: Check[] = []
  if (counts.disputed > 0) {
    checks.push({ id: 'disputed', state: 'blocking', words: t('checkDisputed', { n: counts.disputed }), to: at('disputed') })
  }
  if (counts.one_sided > 0) {
    checks.push({ id: 'one-sided', state: 'open', words: t('checkOneSided', { n: counts.one_sided }), to: at('one_sided') })
  }
  if (counts.open > 0) checks.push({ id: 'open', state: 'open', words: t('checkOpen', { n: counts.open }), to: at('open') })
  if (counts.postponed > 0) {
    checks.push({ id: 'postponed', state: 'info', words: t('checkPostponed', { n: counts.postponed }), to: at('postponed') })
  }
  if (counts.disputed + counts.one_sided + counts.open === 0) {
    checks.push({ id: 'all-in', state: 'done', words: t('checkAllIn', { n: grid.tables.length }), to: { name: 'scoring' } })
  }
  return checks
}
