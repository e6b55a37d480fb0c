import { onScopeDispose, ref, shallowRef, watch, type Ref, type ShallowRef } from 'vue'
import { errorText } from '../../shared/problem'
import { noteRefusal } from '../session/session'

export interface Polled<T> {
  /** The last good answer; it stays while later questions fail. */
  data: ShallowRef<T | null>
  /** Words of the last failure, null once an answer came. */
  error: Ref<string | null>
  /** Local ms of the last answer. */
  receivedAt: Ref<number | null>
  refresh: () => Promise<void>
  /** Takes an answer that came with a change, so that nobody waits for the next look. */
  accept: (next: T) => void
}

export interface PolledOptions {
  /** Milliseconds between two questions; may depend on the last answer, since a long one is dear to make. */
  interval?: number | (() => number)
  /** What the question depends on: when it changes, the old answer is dropped and the question asked anew. */
  source?: () => unknown
}

const INTERVAL = 1500
const LONGEST_WAIT = 20_000

/**
 * Asks again and again while the page is visible (unchanged answers cost a 304), more slowly after failures. An answer
 * to a question asked before a change was accepted is dropped, so that the page never jumps back.
 */
export function usePolled<T>(ask: () => Promise<T>, { interval = INTERVAL, source }: PolledOptions = {}): Polled<T> {
  const data = shallowRef<T | null>(null)
  const error = ref<string | null>(null)
  const receivedAt = ref<number | null>(null)
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let epoch = 0
  let stopped = false

  const base = (): number => (typeof interval === 'number' ? interval : interval())

  function plan(): void {
    clearTimeout(timer)
    if (stopped || document.hidden) return
    timer = setTimeout(() => void refresh(), Math.min(LONGEST_WAIT, base() * 2 ** failures))
  }

  async function refresh(): Promise<void> {
    clearTimeout(timer)
    const asked = epoch
    try {
      const answer = await ask()
      if (asked !== epoch || stopped) return
      data.value = answer
      receivedAt.value = Date.now()
      error.value = null
      failures = 0
    } catch (caught) {
      if (asked !== epoch || stopped) return
      noteRefusal(caught)
      failures += 1
      error.value = errorText(caught)
    } finally {
      if (asked === epoch) plan()
    }
  }

  function accept(next: T): void {
    epoch += 1
    data.value = next
    receivedAt.value = Date.now()
    error.value = null
    plan()
  }

  function visible(): void {
    if (document.hidden) clearTimeout(timer)
    else void refresh()
  }

  document.addEventListener('visibilitychange', visible)
  if (source) {
    watch(source, () => {
      epoch += 1
      data.value = null
      void refresh()
    })
  }
  void refresh()
  onScopeDispose(() => {
    stopped = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', visible)
  })
  return { data, error, receivedAt, refresh, accept }
}
