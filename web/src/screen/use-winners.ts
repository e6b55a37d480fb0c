import { onScopeDispose, shallowRef, watch, type Ref, type ShallowRef } from 'vue'
import { api, ApiError, type Schemas } from '../shared/api'
import { rememberCsrfToken } from '../shared/session'
import type { Display } from '../shared/pulse'
import { randomId } from '../shared/identifiers'

export type Revealed = Schemas['Revealed']

const TRY_AGAIN = 2000

/** Who was revealed so far, asked anew whenever the console reveals another; the last good answer stays. */
export function useRevealed(event: string, display: Ref<Display>): ShallowRef<Revealed | null> {
  const revealed: ShallowRef<Revealed | null> = shallowRef(null)
  let timer: ReturnType<typeof setTimeout> | undefined

  async function update(): Promise<void> {
    clearTimeout(timer)
    if (display.value.view !== 'winners') return
    const step = display.value.step ?? 0
    try {
      const answer = await api.get('/api/events/{event_id}/winners/revealed', { path: { event_id: event } })
      if (step !== (display.value.step ?? 0)) return
      revealed.value = answer
    } catch {
      timer = setTimeout(() => void update(), TRY_AGAIN)
    }
  }
  watch([() => display.value.view, () => display.value.step], () => void update(), { immediate: true })
  onScopeDispose(() => clearTimeout(timer))
  return revealed
}

/**
 * A key on the projection reveals the next winner (or hides the last one), where somebody who may control it is signed
 * in on this computer. False when nobody is: the link alone only shows.
 */
export async function stepByKey(event: string, display: Display, by: 1 | -1): Promise<boolean> {
  try {
    const session = await api.get('/api/auth/session')
    rememberCsrfToken(session.csrf)
    const step = Math.max(0, (display.step ?? 0) + by)
    const body = { view: 'winners' as const, page: null, paused: true, step, picture: display.picture ?? null }
    await api.put('/api/events/{event_id}/display', { path: { event_id: event }, body, idempotencyKey: randomId() })
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return false
  }
}
