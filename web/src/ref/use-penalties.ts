import { computed, ref, shallowRef, watch, type ComputedRef, type Ref, type ShallowRef } from 'vue'
import { api, type Schemas } from '../shared/api'
import { errorText } from '../shared/problem'
import type { OutboxItem } from '../shared/outbox'
import type { Hall } from './use-hall'

export interface Penalties {
  /** Null until they have been read once. */
  list: ShallowRef<Schemas['Adjustments'] | null>
  error: Ref<string | null>
  /** What was given and has not reached the server. */
  waiting: ComputedRef<OutboxItem[]>
  /** Ids whose removal has not reached the server. */
  leaving: ComputedRef<string[]>
  load: () => Promise<void>
}

/** The points given and taken in the event: read when they are looked at, and after every own act that arrived. */
export function usePenalties(hall: Hall): Penalties {
  const list: ShallowRef<Schemas['Adjustments'] | null> = shallowRef(null)
  const error = ref<string | null>(null)

  async function load(): Promise<void> {
    try {
      list.value = await api.get('/api/events/{event_id}/adjustments', { path: { event_id: hall.event } })
      error.value = null
    } catch (failed) {
      error.value = errorText(failed)
    }
  }
  const mine = computed(() => hall.outbox.items.value.filter((item) => item.about['penalty'] === true || item.about['removal'] !== undefined))
  const done = computed(() => mine.value.filter((item) => item.state !== 'waiting').length)
  watch(done, () => {
    if (list.value !== null) void load()
  })
  return {
    list,
    error,
    waiting: computed(() => mine.value.filter((item) => item.state === 'waiting' && item.about['penalty'] === true)),
    leaving: computed(() =>
      mine.value.filter((item) => item.state === 'waiting' && item.about['removal'] !== undefined).map((item) => String(item.about['removal'])),
    ),
    load,
  }
}
