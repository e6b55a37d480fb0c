import { api, type Schemas } from '../../shared/api'
import { t } from '../../shared/i18n/console'
import { showUndo } from '../../shared/ui/toasts'
import { useEvent } from '../frame/event-context'
import { useActing, type Refusals } from '../kit/acting'
import { scoreText, type Score, type Table } from './tables'

export interface Ruling {
  score: Score
  reason: string
  winner?: 'ns' | 'ew' | null
}

/** What an organizer decides about one table; `changed` takes the table as it is afterwards (or as others left it). */
export function useRulings(changed: (table: Table) => void) {
  const { id } = useEvent()
  const { busy, failure, act } = useActing()

  const at = (table: Table) => ({ event_id: id, number: table.round, table: table.table })

  async function done(change: Promise<Table | undefined>): Promise<Table | undefined> {
    const after = await change
    if (after) changed(after)
    return after
  }

  /** Rules a table; the undo lifts the ruling again, or brings the one before back. */
  async function rule(table: Table, ruling: Ruling, refusals: Refusals = {}): Promise<Table | undefined> {
    const body = {
      version: table.version,
      outcome: ruling.score.outcome as Schemas['Ruling']['outcome'],
      ns_level: ruling.score.ns_level,
      ew_level: ruling.score.ew_level,
      winner: ruling.winner ?? null,
      reason: ruling.reason,
    }
    return done(
      act(
        (idempotencyKey) =>
          api.post('/api/events/{event_id}/rounds/{number}/tables/{table}/ruling', { path: at(table), body, idempotencyKey }),
        refusals,
      ),
    )
  }

  async function lift(table: Table, reason: string): Promise<Table | undefined> {
    const body = { version: table.version, reason }
    return done(
      act((idempotencyKey) =>
        api.post('/api/events/{event_id}/rounds/{number}/tables/{table}/lifting', { path: at(table), body, idempotencyKey }),
      ),
    )
  }

  /** Takes a ruling back after the fact: `before` and `after` are the table around it. */
  async function undoRuling(before: Table, after: Table): Promise<Table | undefined> {
    if (before.ruling === null) return lift(after, t('reasonUndo'))
    const { score, winner } = before.ruling
    return rule(after, { score, winner: winner as 'ns' | 'ew' | null, reason: t('reasonUndo') })
  }

  function offerUndo(before: Table, after: Table, score: Score): void {
    showUndo(t('ruled', { table: after.table, score: scoreText(score) }), async () => {
      await undoRuling(before, after)
    })
  }

  async function postpone(table: Table, postponed: boolean, reason: string): Promise<Table | undefined> {
    const body = { version: table.version, postponed, reason }
    return done(
      act((idempotencyKey) =>
        api.post('/api/events/{event_id}/rounds/{number}/tables/{table}/postponement', { path: at(table), body, idempotencyKey }),
      ),
    )
  }

  async function giveTime(table: Table, minutes: number): Promise<Table | undefined> {
    const body = { version: table.version, minutes }
    return done(
      act((idempotencyKey) =>
        api.post('/api/events/{event_id}/rounds/{number}/tables/{table}/extra-time', { path: at(table), body, idempotencyKey }),
      ),
    )
  }
  return { busy, failure, rule, lift, undoRuling, offerUndo, postpone, giveTime }
}
