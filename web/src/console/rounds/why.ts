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

/** Movements that are laid down in advance: their whole reason is which one, and the table's place in it. */
const MOVEMENTS = {
  knockout: 'whyKnockout',
  round_robin: 'whyRoundRobin',
  mitchell: 'whyMitchell',
  two_lines: 'whyTwoLines',
  circle: 'whyCircle',
  new_partners: 'whyNewPartners',
  proposal: 'whyProposal',
} as const

/** Is the bye given by rank? In movements that are laid down in advance it is a place like any other. */
export function byeByRank(tables: readonly { why?: unknown }[]): boolean {
  return tables.some(({ why }) => {
    const { ranks, design } = (why ?? {}) as Why
    return ranks !== undefined && !(design !== undefined && design in MOVEMENTS)
  })
}

function because(code: string): string {
  return code in BECAUSE ? t(BECAUSE[code as keyof typeof BECAUSE]) : code
}

/**
 * The reason of a table as sentences; a table an organizer put together himself has none. `first`: of round 1, where
 * places in the order of drawing are no ranks yet.
 */
export function whyLines(value: unknown, first = false): string[] {
  if (value === null || typeof value !== 'object') return [t('whyByHand')]
  const why = value as Why
  const lines: string[] = []
  if (why.design !== undefined && why.design in MOVEMENTS) lines.push(t(MOVEMENTS[why.design as keyof typeof MOVEMENTS]))
  if (why.ranks) lines.push(t(first ? 'whyOrder' : 'whyRanks', { a: why.ranks[0], b: why.ranks[1] }))
  if (!first && why.group !== undefined && why.gap !== undefined) {
    lines.push(why.gap === '0' ? t('whyGroup', { group: why.group }) : t('whyGap', { group: why.group, gap: why.gap }))
  }
  for (const passed of why.passed_over ?? []) {
    const entry = Array.isArray(passed.entry) ? passed.entry.join('·') : passed.entry
    lines.push(t('whyPassedOver', { entry, because: because(passed.because) }))
  }
  if (why.more_passed_over) lines.push(t('whyMorePassedOver', { n: why.more_passed_over }))
  if (why.design === 'min_total_gap') lines.push(t('whyTotalGap'))
  if (why.seat && why.seat in SEAT && !(why.design !== undefined && why.design in MOVEMENTS && why.seat === 'design')) {
    lines.push(t(SEAT[why.seat as keyof typeof SEAT]))
  }
  return lines.length > 0 ? lines : [t('whyByHand')]
}
