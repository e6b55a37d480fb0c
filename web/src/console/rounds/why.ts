import { t } from '../../shared/i18n/console'

/** Why a table is what it is, as the drawing says it (the `why` of an event document). */
interface Why {
  design?: string
  seat?: string
  ranks?: [number, number]
  group?: string
  gap?: string
  passed_over?: { entry: number | number[]; because: string }[]
  more_passed_over?: number
}

const BECAUSE = { met: 'becauseMet', club: 'becauseClub', rest_unpairable: 'becauseRest', look_ahead: 'becauseLookAhead' } as const
const SEAT = { fewer_ns: 'seatFewer', lot: 'seatLot', design: 'seatDesign' } as const

function because(code: string): string {
  return code in BECAUSE ? t(BECAUSE[code as keyof typeof BECAUSE]) : code
}

/** The reason of a table as sentences; a table an organizer put together himself has none. */
export function whyLines(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [t('whyByHand')]
  const why = value as Why
  if (why.design === 'proposal') return [t('whyProposal')]
  const lines: string[] = []
  if (why.ranks) lines.push(t('whyRanks', { a: why.ranks[0], b: why.ranks[1] }))
  if (why.group !== undefined && why.gap !== undefined) {
    lines.push(why.gap === '0' ? t('whyGroup', { group: why.group }) : t('whyGap', { group: why.group, gap: why.gap }))
  }
  for (const passed of why.passed_over ?? []) {
    const entry = Array.isArray(passed.entry) ? passed.entry.join(', ') : passed.entry
    lines.push(t('whyPassedOver', { entry, because: because(passed.because) }))
  }
  if (why.more_passed_over) lines.push(t('whyMorePassedOver', { n: why.more_passed_over }))
  if (why.seat && why.seat in SEAT) lines.push(t(SEAT[why.seat as keyof typeof SEAT]))
  return lines.length > 0 ? lines : [t('whyByHand')]
}
