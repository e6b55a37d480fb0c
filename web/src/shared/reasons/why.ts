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
const SEAT = { fewer_ns: 'seatFewer', lot: 'seatLot', design: 'seatDesign', by_hand: 'seatByHand' } as const

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

/** Why somebody has a bye that no movement lays down. */
const BYE = { lowest_rank: 'whyBye', no_partner: 'whyNoPartner', by_hand: 'whyByHand', proposal: 'whyProposal' } as const

/**
 * The reasons of a round's byes, each once, and whose it is where there are several; a movement's bye is a place like any
 * other and has none.
 */
export function byeLines(reasons: readonly string[], numbers: readonly number[] = []): string[] {
  const each = [...new Set(reasons)]
  return each.flatMap((reason) => {
    if (!(reason in BYE)) return []
    const words = t(BYE[reason as keyof typeof BYE])
    const whose = numbers.filter((_, index) => reasons[index] === reason).join('·')
    return [each.length > 1 && whose !== '' ? t('whyOf', { numbers: whose, reason: words }) : words]
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
  if (why.design === 'lowest_rank' || why.design === 'no_partner') return byeLines([why.design])
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
