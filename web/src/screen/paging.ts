import { computed, onScopeDispose, ref, watch, type ComputedRef, type Ref } from 'vue'
import type { Display } from '../shared/pulse'

/** Ten seconds a picture: about 0.9 s for each of eleven rows. */
const DWELL = 10_000

export interface Paging {
  /** From 0. */
  index: ComputedRef<number>
  resting: Ref<boolean>
  next(): void
  previous(): void
  toggleRest(): void
}

/**
 * Which picture is shown. Turns by itself; the console (`display`) may hold a page or make it rest, the keyboard too,
 * and whoever acted last decides. New data never turns the page: only a view with fewer pictures brings it back.
 */
export function usePaging(display: Ref<Display>, count: Ref<number>, dwell = DWELL): Paging {
  const wanted = ref(0)
  const resting = ref(false)
  let timer: ReturnType<typeof setTimeout> | undefined

  const index = computed(() => Math.min(wanted.value, Math.max(0, count.value - 1)))

  function plan(): void {
    clearTimeout(timer)
    // Winners wait for whoever hands out the prizes.
    if (!resting.value && display.value.view !== 'winners') timer = setTimeout(() => turn(1), dwell)
  }
  function turn(by: number): void {
    const total = Math.max(1, count.value)
    wanted.value = (index.value + by + total) % total
    plan()
  }

  watch(
    () => display.value.view,
    () => {
      wanted.value = 0
    },
  )
  watch(
    // Three sources, not one array: a pulse that repeats the same wish must not undo what the keyboard did.
    [() => display.value.view, () => display.value.page, () => display.value.paused] as const,
    ([view, page, paused]) => {
      if (page !== null) wanted.value = page - 1
      // Winners do not turn: without a page it is the award that is being handed out.
      else if (view === 'winners') wanted.value = 0
      resting.value = paused || page !== null
      plan()
    },
    { immediate: true },
  )
  onScopeDispose(() => clearTimeout(timer))

  return {
    index,
    resting,
    next: () => turn(1),
    previous: () => turn(-1),
    toggleRest() {
      resting.value = !resting.value
      plan()
    },
  }
}
