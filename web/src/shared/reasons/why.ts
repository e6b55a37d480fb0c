import { t } from '../i18n/table-reasons'

/**
 * Why a table is what it is, as the drawing says it (the `why` of an event document), or as players may read it: then
 * with nulls, and `withheld` where ranks decided that are not public.
 */
interface Why {
  design?: string
  seat?: string | null
  ranks?: number[] | null
  group?: string | null
  gap?: string | null
  passed_over?: { entry: number | number[]; because: string }[]
  more_passed_over?: number
  withheld?: boolean
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

function movementOf({ design }: Why): keyof typeof MOVEMENTS | null {
  return design !== undefined && design in MOVEMENTS ? (design as keyof typeof MOVEMENTS) : null
}

/** Is the bye given by rank? In movements that are laid down in advance it is a place like any other. */
export function byeByRank(tables: readonly { why?: unknown }[]): boolean {
  return tables.some(({ why }) => {
    const reason = (why ?? {}) as Why
    return Boolean(reason.ranks) && movementOf(reason) === null
  })
}

function because(code: string): string {
  return code in BECAUSE ? t(BECAUSE[code as keyof typeof BECAUSE]) : code
}

/**
 * The reason of a table, or of a bye by rank, as sentences; a table an organizer put together himself has none. `first`:
 * of round 1, where places in the order of drawing are no ranks yet.
 */
export function whyLines(value: unknown, first = false): string[] {
  if (value === null || typeof value !== 'object') return [t('whyRestored')]
  const why = value as Why
  if (why.design === 'lowest_rank') return [t('whyBye')]
  const movement = movementOf(why)
  const lines: string[] = []
  if (movement) lines.push(t(MOVEMENTS[movement]))
  else if (why.withheld) lines.push(t('whyWithheld'))
  const [a, b] = why.ranks ?? []
  if (a !== undefined && b !== undefined) lines.push(t(first ? 'whyOrder' : 'whyRanks', { a, b }))
  if (!first && why.group && why.gap) {
    lines.push(why.gap === '0' ? t('whyGroup', { group: why.group }) : t('whyGap', { group: why.group, gap: why.gap }))
  }
  for (const passed of why.passed_over ?? []) {
    const entry = Array.isArray(passed.entry) ? passed.entry.join('·') : passed.entry
    lines.push(t('whyPassedOver', { entry, because: because(passed.because) }))
  }
  if (why.more_passed_over) lines.push(t('whyMorePassedOver', { n: why.more_passed_over }))
  if (why.design === 'min_total_gap') lines.push(t('whyTotalGap'))
  if (why.seat && why.seat in SEAT && !(movement && why.seat === 'design')) lines.push(t(SEAT[why.seat as keyof typeof SEAT]))
  return lines.length > 0 ? lines : [t('whyByHand')]
}
