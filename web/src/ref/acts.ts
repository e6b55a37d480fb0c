import { t } from '../shared/i18n/ref'
import type { OutboxItem } from '../shared/outbox'
import { sameScore, scoreText, type Score, type Side } from '../shared/score-words'
import { dismissToast, showToast, showUndo } from '../shared/ui/toasts'
import { errorText } from '../shared/problem'
import type { Hall, Table } from './use-hall'

export interface Decision {
  score: Score
  winner: Side | null
  reason: string
}

/** The toasts that offer to undo an act, by the act's key. */
const offers = new Map<string, number>()

/** An act the server refused is not done: what says so must not stand beside its refusal. */
export function withdrawOffer(key: string): void {
  const toast = offers.get(key)
  if (toast !== undefined) dismissToast(toast)
  offers.delete(key)
}

type Act = 'ruling' | 'lifting' | 'postponement' | 'extra-time'

/** The acts of one table that have not reached the server, oldest first. */
export function pendingOf(items: OutboxItem[], table: Table): OutboxItem[] {
  return items.filter(
    (item) => item.state === 'waiting' && item.about['round'] === table.round && item.about['table'] === table.table,
  )
}

/** Must a reason be given? Where the decision differs from what was said or ruled, or corrects a settled round. */
export function needsReason(table: Table, score: Score, winner: Side | null): boolean {
  const said = [table.word_ns?.score, table.word_ew?.score].filter((word): word is Score => word !== undefined)
  const overWords = said.some((word) => !sameScore(word, score) || winner !== null)
  const ruling = table.ruling
  const overRuling = ruling !== null && (!sameScore(ruling.score, score) || (ruling.winner ?? null) !== winner)
  return overWords || overRuling || table.locked
}

/** What the referee decides, through the outbox: it is kept first, sent when there is a network, undone for 10 s. */
export function useActs(hall: Hall): {
  rule: (table: Table, decision: Decision) => Promise<boolean>
  lift: (table: Table) => Promise<boolean>
  postpone: (table: Table, postponed: boolean, reason: string) => Promise<boolean>
  giveExtra: (table: Table, minutes: number) => Promise<boolean>
} {
  async function send(table: Table, act: Act, body: Record<string, unknown>, words: string): Promise<OutboxItem | null> {
    const ahead = pendingOf(hall.outbox.items.value, table).length
    const url = `/api/events/${encodeURIComponent(hall.event)}/rounds/${table.round}/tables/${table.table}/${act}`
    try {
      // Each act raises the table's version by one; those still on their way here will have done so before.
      const about = { round: table.round, table: table.table, words }
      return await hall.queue.enqueue(url, { version: table.version + ahead, ...body }, about)
    } catch (error) {
      showToast(t('cannotKeep', { why: errorText(error) }), 'error')
      return null
    }
  }

  /** Sends, says it, and offers to take it back: out of the outbox if it is still there, else by the opposite act. */
  async function act(
    table: Table,
    kind: Act,
    body: Record<string, unknown>,
    words: string,
    opposite: (now: Table) => Promise<unknown>,
  ): Promise<boolean> {
    const item = await send(table, kind, body, words)
    if (item === null) return false
    const offer = showUndo(words, async () => {
      const now = (await hall.queue.items()).find((other) => other.key === item.key)
      if (now?.state === 'waiting' && now.tries === 0) await hall.queue.discard(item.key)
      // Tried already: it may have arrived without our hearing of it, so the opposite follows it.
      else if (now?.state === 'waiting') await opposite(table)
      else if (now?.state === 'done') await opposite(now.reply as Table)
      await hall.refresh()
    })
    offers.set(item.key, offer)
    return true
  }

  const ruling = (decision: Decision): Record<string, unknown> => ({
    outcome: decision.score.outcome,
    ns_level: decision.score.outcome === 'played' ? decision.score.ns_level : null,
    ew_level: decision.score.outcome === 'played' ? decision.score.ew_level : null,
    winner: decision.winner,
    reason: decision.reason,
  })

  /** Back to what stood before: the earlier ruling, the settled result, or the sides' own words. */
  async function restore(before: Table, now: Table): Promise<unknown> {
    const words = t('lifted', { table: before.table })
    const earlier = before.ruling?.score ?? (before.locked ? before.result : null)
    if (earlier === null) return send(now, 'lifting', { reason: t('undoReason') }, words)
    const winner = (before.ruling?.winner ?? null) as Side | null
    return send(now, 'ruling', ruling({ score: earlier, winner, reason: t('undoReason') }), words)
  }

  return {
    rule: (table, decision) =>
      act(table, 'ruling', ruling(decision), t('ruled', { table: table.table, score: scoreText(decision.score) }), (now) =>
        restore(table, now),
      ),
    lift: (table) =>
      act(table, 'lifting', { reason: '' }, t('lifted', { table: table.table }), (now) => restore(table, now)),
    postpone: (table, postponed, reason) =>
      act(
        table,
        'postponement',
        { postponed, reason },
        postponed ? t('postponed', { table: table.table }) : t('postponedBack', { table: table.table }),
        (now) =>
          send(
            now,
            'postponement',
            { postponed: !postponed, reason: postponed ? '' : (table.postponed ?? t('undoReason')) },
            t('undone'),
          ),
      ),
    giveExtra: (table, minutes) =>
      act(table, 'extra-time', { minutes }, t('extraGiven', { table: table.table, n: minutes }), (now) =>
        send(now, 'extra-time', { minutes: table.extra_minutes }, t('undone')),
      ),
  }
}
