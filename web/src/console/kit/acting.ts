import { ref, shallowRef, type Ref, type ShallowRef } from 'vue'
import { ApiError } from '../../shared/api'
import { randomId } from '../../shared/identifiers'
import { showToast } from '../../shared/ui/toasts'
import { noteRefusal } from '../session/session'

const TRIES = 3
const PAUSE = 800

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/**
 * Calls with one idempotency key until the server has answered: a reply that was lost, or a busy server, is asked
 * again with the same key, so the act happens once however often it is sent. Rejects with the last ApiError.
 */
export async function persist<T>(call: (idempotencyKey: string) => Promise<T>, wait = pause): Promise<T> {
  const key = randomId()
  for (let tried = 1; ; tried += 1) {
    try {
      return await call(key)
    } catch (error) {
      const again = error instanceof ApiError && error.temporary && error.status !== 429 && tried < TRIES
      if (!again) throw error
      await wait(PAUSE * tried)
    }
  }
}

/**
 * What a page does about certain refusals, by code, instead of showing their words. `fields`: refusals about a field
 * of which this is true are shown beside it (from `failure`) and nowhere else.
 */
export interface Refusals {
  codes?: Record<string, (error: ApiError) => void>
  fields?: (field: string) => boolean
}

export interface Acting {
  busy: Ref<boolean>
  failure: ShallowRef<ApiError | null>
  /** Carries out a change; undefined when it was refused (which has been said, or left to `refusals`). */
  act: <T>(call: (idempotencyKey: string) => Promise<T>, refusals?: Refusals) => Promise<T | undefined>
}

/** One place of a page where changes are made: what is under way, and what was refused last. */
export function useActing(): Acting {
  const busy = ref(false)
  const failure = shallowRef<ApiError | null>(null)

  async function act<T>(call: (idempotencyKey: string) => Promise<T>, refusals: Refusals = {}): Promise<T | undefined> {
    busy.value = true
    failure.value = null
    try {
      return await persist(call)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      failure.value = error
      noteRefusal(error)
      const own = refusals.codes?.[error.code]
      const beside = error.field !== null && refusals.fields?.(error.field) === true
      if (own) own(error)
      else if (!beside) showToast(error.text, 'error')
      return undefined
    } finally {
      busy.value = false
    }
  }
  return { busy, failure, act }
}
