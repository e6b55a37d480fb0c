import { api } from '../../shared/api'
import { t } from '../../shared/i18n/console'
import { lineUpOf, type LineUp } from '../../shared/officials/line-up'
import { rulingBody, type Decision } from '../../shared/officials/ruling-score'
import { sayRedraw } from '../../shared/officials/redraw'
import { resultText, tableName } from '../../shared/officials/table-words'
import { scoreOf } from '../../shared/score-words'
import type { TableView } from '../../shared/table-groups'
import { showUndo } from '../../shared/ui/toasts'
import { useEvent } from '../frame/event-context'
import { useActing, type Refusals } from '../kit/acting'

type Done = Promise<TableView | undefined>

/** What an organizer decides about one table; `changed` takes the table as it is afterwards (or as others left it). */
export function useRulings(changed: (table: TableView) => void) {
  const { id } = useEvent()
  const { busy, failure, act } = useActing()

  const at = (table: TableView) => ({ event_id: id, number: table.round, table: table.table })

  async function done(change: Done): Done {
    const after = await change
    if (after) changed(after)
    return after
  }

  async function rule(table: TableView, decision: Decision, refusals: Refusals = {}): Done {
    const after = await done(
      act((idempotencyKey) => {
        const body = { version: table.version, ...rulingBody(decision) }
        return api.post('/api/events/{event_id}/rounds/{number}/tables/{table}/ruling', { path: at(table), body, idempotencyKey })
      }, refusals),
    )
    if (after) sayRedraw(after)
    return after
  }

  const lift = (table: TableView, reason: string, refusals: Refusals = {}): Done =>
    done(
      act((idempotencyKey) => {
        const body = { version: table.version, reason }
        return api.post('/api/events/{event_id}/rounds/{number}/tables/{table}/lifting', { path: at(table), body, idempotencyKey })
      }, refusals),
    )

  const lineUp = (table: TableView, places: LineUp): Done =>
    done(
      act((idempotencyKey) => {
        const body = { version: table.version, ...places }
        return api.put('/api/events/{event_id}/rounds/{number}/tables/{table}/line-up', { path: at(table), body, idempotencyKey })
      }),
    )

  const postpone = (table: TableView, postponed: boolean, reason: string): Done =>
    done(
      act((idempotencyKey) => {
        const body = { version: table.version, postponed, reason }
        return api.post('/api/events/{event_id}/rounds/{number}/tables/{table}/postponement', { path: at(table), body, idempotencyKey })
      }),
    )

  const giveTime = (table: TableView, minutes: number): Done =>
    done(
      act((idempotencyKey) => {
        const body = { version: table.version, minutes }
        return api.post('/api/events/{event_id}/rounds/{number}/tables/{table}/extra-time', { path: at(table), body, idempotencyKey })
      }),
    )

  /**
   * Takes a ruling or a lifting back after the fact, `before` and `after` being the table around it: to the ruling
   * before, to the result of a settled round, or to the sides' own words.
   */
  function restore(before: TableView, after: TableView): Done {
    const earlier = before.ruling?.score ?? (before.locked ? (before.result ?? scoreOf({ outcome: 'unplayed' })) : null)
    return earlier === null ? lift(after, t('undoReason')) : rule(after, { score: earlier, reason: t('undoReason') })
  }

  async function offering(words: string, change: Done, undo: (after: TableView) => Done): Promise<boolean> {
    const after = await change
    if (!after) return false
    showUndo(words, async () => {
      await undo(after)
    })
    return true
  }
  return {
    busy,
    failure,
    rule,
    restore,
    ruleWithUndo: (table: TableView, decision: Decision, refusals: Refusals) =>
      offering(t('ruled', { table: tableName(table), score: resultText(table, decision.score) }), rule(table, decision, refusals), (after) =>
        restore(table, after),
      ),
    liftWithUndo: (table: TableView, refusals: Refusals) =>
      offering(t('lifted', { table: tableName(table) }), lift(table, '', refusals), (after) => restore(table, after)),
    lineUpWithUndo: (table: TableView, places: LineUp) =>
      offering(t('lineUpDone', { table: tableName(table) }), lineUp(table, places), (after) => lineUp(after, lineUpOf(table))),
    giveTimeWithUndo: (table: TableView, minutes: number) =>
      offering(t('extraGiven', { table: tableName(table), n: minutes }), giveTime(table, minutes), (after) =>
        giveTime(after, table.extra_minutes),
      ),
    postponeWithUndo: (table: TableView, on: boolean, reason: string) =>
      offering(
        on ? t('postponed', { table: tableName(table) }) : t('postponedBack', { table: tableName(table) }),
        postpone(table, on, reason),
        (after) => postpone(after, !on, on ? '' : (table.postponed ?? t('undoReason'))),
      ),
  }
}
