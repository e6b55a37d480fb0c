import type { Schemas } from '../shared/api'
import { dateText } from '../shared/dates'
import { t } from '../shared/i18n/home'
import { inLanguage } from '../shared/i18n/language'

export type PublicEvent = Schemas['PublicEvent']

export interface Fact {
  name: string
  value: string
}

/** A moment in the event's own zone; the zone is named where this device has another one. */
function moment(at: number, zone: string): string {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  return dateText(at, zone) + (own === zone ? '' : t('factZone', { zone }))
}

/** What an event is, in the order in which people ask. */
export function factsOf(event: PublicEvent): Fact[] {
  const facts: Fact[] = [
    { name: t('factStart'), value: event.starts_at === null ? t('listNoStart') : moment(event.starts_at, event.time_zone) },
    { name: t('factKind'), value: inLanguage(event.kind_zh, event.kind_en) },
    { name: t('factRounds'), value: t('factRoundsValue', { rounds: event.rounds, minutes: event.minutes_per_round }) },
  ]
  if (event.phase !== 'ended') {
    if (event.deadline !== null) facts.push({ name: t('factDeadline'), value: moment(event.deadline, event.time_zone) })
    facts.push({ name: t('factFee'), value: event.fee === 0 ? t('factFeeNone') : t('factFeeValue', { yuan: event.fee / 100 }) })
  }
  if (event.show_entry_count) facts.push({ name: t('factEntries'), value: t('factEntriesValue', { n: event.entries }) })
  const joined = inLanguage('、', ', ')
  facts.push({ name: t('factCriteria'), value: event.criteria.map((one) => inLanguage(one.zh, one.en)).join(joined) })
  if (event.prizes.length > 0) {
    facts.push({ name: t('factPrizes'), value: event.prizes.map((prize) => t('prizeValue', { name: prize.name, count: prize.count })).join(joined) })
  }
  return facts
}
