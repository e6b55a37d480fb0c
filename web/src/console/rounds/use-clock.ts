import { api, type Body } from '../../shared/api'
import { useEvent } from '../frame/event-context'
import { useActing } from '../kit/acting'

type Action = Body<'/api/events/{event_id}/rounds/{number}/clock', 'post'>['action']

/** Commands of the round's clock, for the overview and the round's page. */
export function useClock() {
  const { id, event, accept, refresh } = useEvent()
  const { busy, act } = useActing()

  /** True when the clock obeyed. `minutes` for extend, `seconds` until the start. */
  async function command(action: Action, { minutes = 0, seconds = 0 } = {}): Promise<boolean> {
    const round = event.value.last_round
    const body = { action, version: event.value.clock.version, minutes, starts_in_seconds: seconds }
    const clock = await act((idempotencyKey) =>
      api.post('/api/events/{event_id}/rounds/{number}/clock', {
        path: { event_id: id, number: round },
        body,
        idempotencyKey,
      }),
    )
    if (clock) accept({ ...event.value, clock })
    await refresh()
    return clock !== undefined
  }
  return { busy, command }
}
