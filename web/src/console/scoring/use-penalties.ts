import { ref, shallowRef, type Ref, type ShallowRef } from 'vue'
import { api, type Schemas } from '../../shared/api'
import { t } from '../../shared/i18n/console'
import { adjustmentText, type Adjustment, type NewAdjustment } from '../../shared/officials/penalties'
import { errorText } from '../../shared/problem'
import { showUndo } from '../../shared/ui/toasts'
import { useActing } from '../kit/acting'
import { useEvent } from '../frame/event-context'

export interface Penalties {
  /** Null until they have been read once. */
  list: ShallowRef<Schemas['Adjustments'] | null>
  error: Ref<string | null>
  busy: Ref<boolean>
  load: () => Promise<void>
  give: (given: NewAdjustment, words: string) => Promise<boolean>
  remove: (adjustment: Adjustment, reason: string) => Promise<boolean>
}

/** The points given and taken in the event, and the ways to change them; each change can be taken back. */
export function usePenalties(): Penalties {
  const { id } = useEvent()
  const { busy, act } = useActing()
  const list: ShallowRef<Schemas['Adjustments'] | null> = shallowRef(null)
  const error = ref<string | null>(null)

  async function load(): Promise<void> {
    try {
      list.value = await api.get('/api/events/{event_id}/adjustments', { path: { event_id: id } })
      error.value = null
    } catch (failed) {
      error.value = errorText(failed)
    }
  }
  const post = (body: NewAdjustment) =>
    act((idempotencyKey) => api.post('/api/events/{event_id}/adjustments', { path: { event_id: id }, body, idempotencyKey }))
  const take = (adjustment_id: string, reason: string) =>
    act((idempotencyKey) =>
      api.post('/api/events/{event_id}/adjustments/{adjustment_id}/removal', {
        path: { event_id: id, adjustment_id },
        body: { reason },
        idempotencyKey,
      }),
    )

  async function give(given: NewAdjustment, words: string): Promise<boolean> {
    const made = await post(given)
    if (made) {
      showUndo(words, async () => {
        await take(made.id, t('undoReason'))
        await load()
      })
    }
    await load()
    return made !== undefined
  }
  async function remove(one: Adjustment, reason: string): Promise<boolean> {
    const gone = await take(one.id, reason)
    if (gone) {
      const { entry, round, criterion, amount } = one
      showUndo(t('penaltyRemoved', { what: adjustmentText(one, list.value?.criteria ?? []) }), async () => {
        await post({ entry, round, criterion, amount, reason: one.reason })
        await load()
      })
    }
    await load()
    return gone !== undefined
  }
  return { list, error, busy, load, give, remove }
}
