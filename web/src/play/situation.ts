import type { ClockReading } from '../shared/clock'
import { otherSide, type Side } from '../shared/score-words'
import type { Me } from './remembered'

/** Where the player stands in the event; only `table` has something to score; `room`: which of two tables is not said yet. */
export type Situation = 'ended' | 'withdrawn' | 'waiting_list' | 'not_drawn' | 'bye' | 'sit_out' | 'not_seated' | 'room' | 'table'

export function situationOf(me: Me): Situation {
  if (me.table !== null && me.my_side !== null) return 'table'
  if (me.tables.length > 1 && me.my_side !== null) return 'room'
  if (me.phase === 'ended') return 'ended'
  if (me.state === 'withdrawn') return 'withdrawn'
  if (me.state === 'waiting') return 'waiting_list'
  if (me.round === 0 || me.round_phase === 'draft') return 'not_drawn'
  if (me.sit_out) return 'sit_out'
  return me.bye ? 'bye' : 'not_seated'
}

export const sideOf = (me: Me): Side => (me.my_side === 'ew' ? 'ew' : 'ns')

/** The word of my side (`mine`) or of the other (`theirs`) at my table. */
export function words(me: Me): { mine: Word | null; theirs: Word | null } {
  const side = sideOf(me)
  const of = (which: Side): Word | null => (which === 'ns' ? me.table?.word_ns : me.table?.word_ew) ?? null
  return { mine: of(side), theirs: of(otherSide(side)) }
}
export type Word = NonNullable<NonNullable<Me['table']>['word_ns']>

/** Whether both sides have said the same, in both rooms of a match: then nobody can give the table up any more. */
export function agreed(tables: Me['tables']): boolean {
  return tables.length > 0 && tables.every(({ state, word_ns, word_ew }) => state === 'confirmed' && word_ns !== null && word_ew !== null)
}

export type Closed = 'event_ended' | 'settled' | 'ruled' | 'not_started' | 'countdown' | 'time_over'

/**
 * Why no score can be entered at this moment, or null when it can. The same rules as the server's, on the phone's
 * own clock, so that the page opens and closes to the second without asking; the server has the last word.
 */
export function closedBecause(me: Me, reading: ClockReading): Closed | null {
  const table = me.table
  if (me.phase === 'ended') return 'event_ended'
  if (table === null || table.locked || !['published', 'playing'].includes(me.round_phase)) return 'settled'
  if (table.ruling !== null) return 'ruled'
  if (me.score_any_time) return null
  if (reading.phase === 'idle') return 'not_started'
  if (reading.phase === 'countdown') return 'countdown'
  if (reading.phase === 'ended') return 'time_over'
  return reading.phase === 'over' && reading.seconds > table.extra_minutes * 60 ? 'time_over' : null
}

/** Seconds before a round begins, and before and after its end, in which its phones look at the pulse often. */
const NEAR_END = 120

/** Whether the round is about to begin or end, or has just ended: then something will soon be announced. */
export function isEager({ phase, seconds }: ClockReading): boolean {
  return ['countdown', 'running', 'stop_drawing', 'over'].includes(phase) && seconds < NEAR_END
}

/** Whether this side waits for the other side's word or for a referee. */
export function isAwaited(me: Me): boolean {
  const said = words(me).mine !== null && ['one_sided', 'disputed'].includes(me.table?.state ?? '')
  return said || me.calls.some((call) => call.side === me.my_side)
}

/** Own acts wait for an answer: within three seconds. */
const AT_ONCE = 2000
const LATER = 10_000
/** So many looks an answer is awaited closely: five minutes. */
const AWAITED_LOOKS = 120

/**
 * How old what we know of the own table may become, in ms; null: until the pulse says that something changed.
 * `asked` counts the looks since the last news, the last touch, or since the page came back. Only what somebody waits
 * for is asked again and again: ten thousand phones that asked without a cause would be most of an event's cost. Who
 * touches the phone sees what happened at the table meanwhile.
 */
export function freshness(me: Me, reading: ClockReading, asked: number): number | null {
  if (me.table === null || me.phase === 'ended') return null
  const awaited = isAwaited(me)
  if (me.round_phase === 'settled') return awaited && me.calls.length > 0 ? LATER : null
  if (awaited) return asked < AWAITED_LOOKS ? AT_ONCE : LATER
  if (!me.score_any_time && ['idle', 'countdown', 'ended'].includes(reading.phase)) return null
  return asked === 0 ? LATER : null
}
