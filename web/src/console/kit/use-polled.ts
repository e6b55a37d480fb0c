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
  /** When it changes, there is something new: the question is asked without waiting for the interval. */
  stir?: () => unknown
  /** Milliseconds that must lie between two questions which were stirred. */
  gap?: number
}

const INTERVAL = 1500
const LONGEST_WAIT = 20_000

/**
 * Asks again and again while the page is visible (unchanged answers cost a 304), more slowly after failures. An answer
 * to a question asked before a change was accepted is dropped, so that the page never jumps back. `ask` is told what is
 * known already if it was stirred, for then it may ask for the news alone.
 */
export function usePolled<T>(
  ask: (known: T | null) => Promise<T>,
  { interval = INTERVAL, source, stir, gap = 0 }: PolledOptions = {},
): Polled<T> {
  const data = shallowRef<T | null>(null)
  const error = ref<string | null>(null)
  const receivedAt = ref<number | null>(null)
  let timer: ReturnType<typeof setTimeout> | undefined
  let due = 0
  let failures = 0
  let epoch = 0
  let asking = 0
  let askedAt = 0
  let stirred = false
  let stopped = false

  const base = (): number => (typeof interval === 'number' ? interval : interval())

  /** The next whole question; what was stirred meanwhile comes first. */
  function plan(): void {
    due = Date.now() + (failures === 0 ? base() : Math.min(LONGEST_WAIT, base() * 2 ** failures))
    wait()
  }

  function wait(): void {
    clearTimeout(timer)
    if (stopped || document.hidden || (stirred && asking > 0)) return
    const soon = stirred && failures === 0 && askedAt + gap < due
    timer = setTimeout(() => void question(soon), Math.max(0, (soon ? askedAt + gap : due) - Date.now()))
  }

  async function question(news: boolean): Promise<void> {
    clearTimeout(timer)
    const asked = epoch
    const nextWhole = due
    stirred = false
    asking += 1
    askedAt = Date.now()
    try {
      const answer = await ask(news ? data.value : null)
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
      asking -= 1
      if (asked === epoch && news && failures === 0) due = nextWhole
      if (asked === epoch && !(news && failures === 0)) plan()
      else wait()
    }
  }

  function accept(next: T): void {
    epoch += 1
    data.value = next
    receivedAt.value = Date.now()
    error.value = null
    plan()
  }

  const refresh = (): Promise<void> => question(false)

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
  if (stir) {
    watch(stir, () => {
      stirred = true
      wait()
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
