import { shallowRef } from 'vue'
import { useRouter } from 'vue-router'
import { api, type ApiError } from '../../shared/api'
import { t } from '../../shared/i18n/console'
import { showToast, showUndo } from '../../shared/ui/toasts'
import { useEvent } from '../frame/event-context'
import { useActing } from '../kit/acting'
import { followRoundJob } from '../rounds/round-job'

/** Tables that kept a round from being settled, until the next attempt. */
export const stillOpen = shallowRef<{ event: string; round: number; tables: number[] } | null>(null)

/** Settles the round in play, and opens it again. */
export function useSettling() {
  const { id, event, refresh } = useEvent()
  const router = useRouter()
  const { busy, act } = useActing()

  async function settle(): Promise<void> {
    const last = event.value.rounds[event.value.rounds.length - 1]
    if (!last) return
    stillOpen.value = null
    const refused = (error: ApiError): void => {
      const current = error.problem.current as { tables?: number[] } | null
      stillOpen.value = { event: id, round: last.number, tables: current?.tables ?? [] }
      void router.push({ name: 'scoring', query: { show: 'unfinished' } })
    }
    const job = await act(
      async (idempotencyKey) =>
        followRoundJob(
          id,
          await api.post('/api/events/{event_id}/rounds/{number}/settling', {
            path: { event_id: id, number: last.number },
            body: { version: last.version },
            idempotencyKey,
            timeout: 29_000,
          }),
        ),
      { codes: { open_tables: refused } },
    )
    await refresh()
    if (job?.phase === 'done') showUndo(t('roundSettled', { round: last.number }), () => reopen(last.number, t('reasonUndo')).then(() => undefined))
    else if (job) showToast(t('roundJobCancelled', { round: last.number }))
  }

  async function reopen(round: number, reason: string): Promise<boolean> {
    const opened = await act((idempotencyKey) =>
      api.post('/api/events/{event_id}/rounds/{number}/reopening', {
        path: { event_id: id, number: round },
        body: { reason },
        idempotencyKey,
      }),
    )
    await refresh()
    return opened !== undefined
  }
  return { busy, settle, reopen }
}
