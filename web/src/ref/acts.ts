import { t } from '../shared/i18n/ref'
import { lineUpOf, type LineUp } from '../shared/officials/line-up'
import { adjustmentText, type Adjustment, type NewAdjustment } from '../shared/officials/penalties'
import { substituteBody, type NewSubstitute } from '../shared/officials/substitutes'
import { rulingBody, type Decision } from '../shared/officials/ruling-score'
import { resultText, tableName } from '../shared/officials/table-words'
import type { OutboxItem } from '../shared/outbox'
import { scoreOf } from '../shared/score-words'
import { refereeName } from './referee-name'
import { perform, send } from './sending'
import type { Call, Criteria, Hall, Table } from './use-hall'

type TableAct = 'ruling' | 'lifting' | 'postponement' | 'extra-time' | 'line-up'
type CallAct = 'taking' | 'closing' | 'returning'

/** The acts of one table that have not reached the server, oldest first. */
export function pendingOf(items: OutboxItem[], table: Table): OutboxItem[] {
  return items.filter(
    (item) => item.state === 'waiting' && item.about['round'] === table.round && item.about['table'] === table.table,
  )
}

/** What a referee decides about tables, through the outbox: kept first, sent when there is a network, undone for 10 s. */
export function useTableActs(hall: Hall): {
  rule: (table: Table, decision: Decision) => Promise<boolean>
  lift: (table: Table) => Promise<boolean>
  postpone: (table: Table, postponed: boolean, reason: string) => Promise<boolean>
  giveExtra: (table: Table, minutes: number) => Promise<boolean>
  setLineUp: (table: Table, places: LineUp) => Promise<boolean>
} {
  function order(table: Table, act: TableAct, body: Record<string, unknown>, words: string) {
    // Each act raises the table's version by one; those still on their way here will have done so before.
    const ahead = pendingOf(hall.outbox.items.value, table).length
    return {
      path: `/rounds/${table.round}/tables/${table.table}/${act}`,
      body: { version: table.version + ahead, ...body },
      about: { round: table.round, table: table.table, words },
      ...(act === 'line-up' ? { method: 'PUT' as const } : {}),
    }
  }
  const act = (table: Table, kind: TableAct, body: Record<string, unknown>, words: string, undo: (now: Table) => Promise<unknown>) =>
    perform(hall, { ...order(table, kind, body, words), undo: (reply) => undo(reply as Table) })
  const back = (now: Table, kind: TableAct, body: Record<string, unknown>, words: string) => send(hall, order(now, kind, body, words))

  /** Back to what stood before: the earlier ruling, the settled result, or the sides' own words. */
  async function restore(before: Table, now: Table): Promise<unknown> {
    const words = t('lifted', { table: tableName(before) })
    const earlier = before.ruling?.score ?? (before.locked ? (before.result ?? scoreOf({ outcome: 'unplayed' })) : null)
    if (earlier === null) return back(now, 'lifting', { reason: t('undoReason') }, words)
    return back(now, 'ruling', rulingBody({ score: earlier, reason: t('undoReason') }), words)
  }

  return {
    rule: (table, decision) =>
      act(
        table,
        'ruling',
        rulingBody(decision),
        t('ruled', { table: tableName(table), score: resultText(table, decision.score) }),
        (now) => restore(table, now),
      ),
    lift: (table) =>
      act(table, 'lifting', { reason: '' }, t('lifted', { table: tableName(table) }), (now) => restore(table, now)),
    postpone: (table, postponed, reason) =>
      act(
        table,
        'postponement',
        { postponed, reason },
        postponed ? t('postponed', { table: tableName(table) }) : t('postponedBack', { table: tableName(table) }),
        (now) => {
          const again = { postponed: !postponed, reason: postponed ? '' : (table.postponed ?? t('undoReason')) }
          return back(now, 'postponement', again, t('undone'))
        },
      ),
    giveExtra: (table, minutes) =>
      act(table, 'extra-time', { minutes }, t('extraGiven', { table: tableName(table), n: minutes }), (now) =>
        back(now, 'extra-time', { minutes: table.extra_minutes }, t('undone')),
      ),
    setLineUp: (table, places) =>
      act(table, 'line-up', { ...places }, t('lineUpDone', { table: tableName(table) }), (now) =>
        back(now, 'line-up', { ...lineUpOf(table) }, t('undone')),
      ),
  }
}

/** The substitutions of a table's entries that have not reached the server. */
export function substitutesOf(items: OutboxItem[], table: Table): OutboxItem[] {
  const seated = [...table.ns.numbers, ...table.ew.numbers]
  return items.filter((item) => item.state === 'waiting' && seated.includes(Number(item.about['substitute'])))
}

/** 换人: kept and sent like everything else; taken back who left is as before, with their phones. */
export function useSubstituteActs(hall: Hall): { substitute: (given: NewSubstitute, at: Table) => Promise<boolean> } {
  return {
    substitute: (given, at) => {
      const path = `/entries/${given.entry}/substitutions`
      const about = { substitute: given.entry, at: { round: at.round, table: at.table } }
      return perform(hall, {
        path,
        body: { ...substituteBody(given) },
        about: { ...about, words: t('substituteDone', { gone: given.gone, came: given.name }) },
        undo: (reply) =>
          send(hall, {
            path: `${path}/${encodeURIComponent((reply as { id: string }).id)}/removal`,
            body: { reason: t('undoReason') },
            about: { ...about, words: t('substituteBack', { gone: given.gone }) },
          }),
      })
    },
  }
}

/** Answering the players who call. */
export function useCallActs(hall: Hall): Record<'take' | 'close' | 'giveBack', (call: Call) => Promise<boolean>> {
  function order(call: Call, act: CallAct, words: string) {
    const body = act === 'taking' ? { by: refereeName.value } : {}
    return { path: `/calls/${call.call}/${act}`, body, about: { call: call.call, act, words } }
  }
  const act = (call: Call, kind: CallAct, words: string, opposite: CallAct) =>
    perform(hall, { ...order(call, kind, words), undo: () => send(hall, order(call, opposite, t('undone'))) })
  return {
    take: (call) => act(call, 'taking', t('callTook', { table: tableName(call) }), 'returning'),
    close: (call) => act(call, 'closing', t('callClosed', { table: tableName(call) }), 'returning'),
    giveBack: (call) => act(call, 'returning', t('callReturned', { table: tableName(call) }), 'taking'),
  }
}

/** Giving and taking points. */
export function usePenaltyActs(hall: Hall, criteria: () => Criteria): {
  give: (given: NewAdjustment, words: string) => Promise<boolean>
  remove: (adjustment: Adjustment, reason: string) => Promise<boolean>
} {
  const removal = (id: string, reason: string, words: string) => ({
    path: `/adjustments/${encodeURIComponent(id)}/removal`,
    body: { reason },
    about: { removal: id, words },
  })
  const giving = (given: NewAdjustment, words: string) => ({
    path: '/adjustments',
    body: { ...given },
    about: { penalty: true, words },
  })
  return {
    give: (given, words) =>
      perform(hall, {
        ...giving(given, words),
        undo: (reply) => send(hall, removal((reply as Adjustment).id, t('undoReason'), t('undone'))),
      }),
    remove: (adjustment, reason) => {
      const { entry, round, criterion, amount } = adjustment
      const what = adjustmentText(adjustment, criteria())
      return perform(hall, {
        ...removal(adjustment.id, reason, t('penaltyRemoved', { what })),
        undo: () => send(hall, giving({ entry, round, criterion, amount, reason: adjustment.reason }, what)),
      })
    },
  }
}
