import { computed, type ComputedRef, type Ref } from 'vue'
import { api, type Body } from '../../shared/api'
import { useEvent } from '../frame/event-context'
import { useActing } from '../kit/acting'

export type Command = Body<'/api/events/{event_id}/display', 'put'>

export interface Remote {
  display: ComputedRef<Required<Command>>
  busy: Ref<boolean>
  /** Changes what every projection shows; what is not named stays as it is. */
  show: (change: Partial<Command>) => Promise<void>
}

/** The remote control of the event's projections. */
export function useDisplay(): Remote {
  const { id, event, accept, refresh } = useEvent()
  const { busy, act } = useActing()
  const display = computed(() => {
    const { view, page, paused, step, picture } = event.value.display
    return { view: view as Command['view'], page, paused, step: step ?? 0, picture: picture ?? null }
  })

  async function show(change: Partial<Command>): Promise<void> {
    const body: Command = { ...display.value, ...change }
    const shown = await act((idempotencyKey) => api.put('/api/events/{event_id}/display', { path: { event_id: id }, body, idempotencyKey }))
    if (shown) accept({ ...event.value, display: shown })
    await refresh()
  }
  return { display, busy, show }
}
