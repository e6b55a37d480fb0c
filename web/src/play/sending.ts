import type { Schemas } from '../shared/api'
import type { OutboxItem } from '../shared/outbox'
import { differingBoards } from '../shared/boards'
import { sameScore, type Score } from '../shared/score-words'
import { tablesOf } from './rooms'
import { words } from './situation'
import type { Me } from './remembered'

type Table = Schemas['TableView']

/** What a queued intent is about; kept with it on the phone. */
export type About = Record<string, unknown> &
  (
    | { kind: 'submission'; round: number; table: number; score: Score }
    | { kind: 'forfeit'; round: number; table: number }
    | { kind: 'call'; call: 'call' | 'correction'; message: string; round: number; table: number }
    | { kind: 'withdrawal'; call: string }
  )

/**
 * What became of our side's result, as the player reads it:
 * `none` nothing sent; `saved` kept on the phone only; `submitted` the server has it, the other side is awaited;
 * `confirmed`, `disputed`, `ruled`; `refused` the server did not take it.
 */
export type Fate = 'none' | 'saved' | 'submitted' | 'confirmed' | 'disputed' | 'ruled' | 'refused'

const isOf = (table: Table, item: OutboxItem): boolean => item.about['round'] === table.round && item.about['table'] === table.table

/** The queued submissions of my table (and giving it up, which answers to the same version), oldest first. */
export function sendingsOf(me: Me, items: OutboxItem[]): OutboxItem[] {
  const table = me.table
  if (table === null) return []
  return items.filter((item) => isOf(table, item) && ['submission', 'forfeit'].includes(String(item.about['kind'])))
}

/** What a queued submission says. */
export const scoreSaid = (item: OutboxItem): Score | null => (item.about['kind'] === 'submission' ? (item.about['score'] as Score) : null)

/** The newest submission of my table that is still on the phone, or that the server refused. */
export function lastSending(me: Me, items: OutboxItem[], state: 'waiting' | 'rejected'): OutboxItem | null {
  const all = sendingsOf(me, items)
  const last = all[all.length - 1]
  if (state === 'rejected') return last?.state === 'rejected' ? last : null
  const waiting = all.filter((item) => item.state === 'waiting')
  return waiting[waiting.length - 1] ?? null
}

export function fateOf(me: Me, items: OutboxItem[]): Fate {
  const table = me.table
  if (table === null) return 'none'
  if (table.state === 'ruled') return 'ruled'
  if (lastSending(me, items, 'waiting') !== null) return 'saved'
  if (lastSending(me, items, 'rejected') !== null) return 'refused'
  if (table.state === 'confirmed') return 'confirmed'
  const { mine } = words(me)
  if (mine === null) return 'none'
  return table.state === 'disputed' ? 'disputed' : 'submitted'
}

/**
 * The version of our side's word that the next submission answers to: what the server has, and one more for each of
 * our own that is still on its way before it.
 */
export function baseVersion(me: Me, items: OutboxItem[]): number {
  const waiting = sendingsOf(me, items).filter((item) => item.state === 'waiting' && item.about['kind'] === 'submission').length
  return (words(me).mine?.version ?? 0) + waiting
}

/** What the server answered to an own act at a table: the table as it then was. */
export function tableAnswered(item: OutboxItem): Table | null {
  return ['submission', 'forfeit'].includes(String(item.about['kind'])) ? (item.reply as Table | null) : null
}

/** Does an answer tell of our table what is not known yet: a newer word of a side, or a newer ruling? */
export function isNewer(me: Me, reply: Table): boolean {
  const known = tablesOf(me).find((table) => table.round === reply.round && table.table === reply.table)
  if (!known) return false
  const version = (word: Table['word_ns']): number => word?.version ?? 0
  const older = version(reply.word_ns) < version(known.word_ns) || version(reply.word_ew) < version(known.word_ew) || reply.version < known.version
  const newer = version(reply.word_ns) > version(known.word_ns) || version(reply.word_ew) > version(known.word_ew) || reply.version > known.version
  return newer && !older
}

/** An open call of my side: as the server has it, or still on the phone (or refused by the server: `problem`). */
export interface CallState {
  kind: 'call' | 'correction'
  message: string
  /** Null while it is only on the phone. */
  call: Schemas['CallView'] | null
  item: OutboxItem | null
}

/** Is a call mine, or my partner's at our table? */
function isOurs(me: Me, call: Schemas['CallView']): boolean {
  const here = me.table !== null && call.round === me.table.round && call.table === me.table.table
  return call.entry === me.entry.number || (here && call.side === me.my_side)
}

/** What my side wants of the referee: the open call at my table or about an earlier round; null when nothing. */
export function callOf(me: Me, items: OutboxItem[]): CallState | null {
  const withdrawn = items.filter((item) => item.about['kind'] === 'withdrawal' && item.state !== 'rejected').map((item) => item.about['call'])
  const ours = me.calls.filter((call) => isOurs(me, call) && !withdrawn.includes(call.call))
  const open = ours.find((call) => me.table !== null && call.round === me.table.round && call.table === me.table.table) ?? ours[0]
  if (open) return { kind: open.kind as CallState['kind'], message: open.message, call: open, item: null }
  const calls = items.filter((item) => item.about['kind'] === 'call')
  const last = calls[calls.length - 1]
  if (!last || last.state === 'done') return null
  const about = last.about as Extract<About, { kind: 'call' }>
  return { kind: about.call, message: about.message, call: null, item: last }
}

/** Is there such a request about a table, on the server or still on its way? */
export function callAbout(me: Me, items: OutboxItem[], table: Table, kind: 'call' | 'correction'): boolean {
  const open = me.calls.some((call) => call.round === table.round && call.table === table.table && call.kind === kind && isOurs(me, call))
  return open || items.some((item) => item.state === 'waiting' && item.about['kind'] === 'call' && item.about['call'] === kind && isOf(table, item))
}

/** What differs between the sides' words: a level (or the winner, said with both), and the boards. */
export interface Difference {
  ns: boolean
  ew: boolean
  winner: boolean
  boards: number[]
}

export function differing(one: Score, other: Score): Difference {
  if (sameScore(one, other)) return { ns: false, ew: false, winner: false, boards: [] }
  return {
    ns: one.ns_level !== other.ns_level || one.ns_lap !== other.ns_lap,
    ew: one.ew_level !== other.ew_level || one.ew_lap !== other.ew_lap,
    winner: one.winner !== other.winner,
    boards: one.ns_level === null ? differingBoards(one, other) : [],
  }
}
