import type { OutboxItem } from '../shared/outbox'
import { sameScore, scoreOf as playedScore, type Score } from '../shared/score-words'
import type { Level } from '../shared/levels'
import { words } from './situation'
import type { Me } from './remembered'

/** What a queued submission is about; kept with it on the phone. */
export interface About extends Record<string, unknown> {
  round: number
  table: number
  ns: Level
  ew: Level
}

/**
 * What became of our side's result, as the player reads it:
 * `none` nothing sent; `saved` kept on the phone only; `submitted` the server has it, the other side is awaited;
 * `confirmed`, `disputed`, `ruled`; `refused` the server did not take it.
 */
export type Fate = 'none' | 'saved' | 'submitted' | 'confirmed' | 'disputed' | 'ruled' | 'refused'

/** The queued submissions of my table, oldest first. */
export function sendingsOf(me: Me, items: OutboxItem[]): OutboxItem[] {
  const table = me.table
  if (table === null) return []
  return items.filter((item) => item.about['round'] === table.round && item.about['table'] === table.table)
}

export function scoreOf(item: OutboxItem): Score {
  const { ns, ew } = item.about as About
  return playedScore({ ns_level: ns, ew_level: ew })
}

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
  const waiting = sendingsOf(me, items).filter((item) => item.state === 'waiting').length
  return (words(me).mine?.version ?? 0) + waiting
}

/** Which of the two levels differ between the sides' words. */
export function differing(one: Score, other: Score): { ns: boolean; ew: boolean } {
  if (sameScore(one, other)) return { ns: false, ew: false }
  return { ns: one.ns_level !== other.ns_level, ew: one.ew_level !== other.ew_level }
}
