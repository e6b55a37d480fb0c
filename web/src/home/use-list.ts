import { computed, onScopeDispose, ref, shallowRef, watch, type Ref } from 'vue'
import { api, type Schemas } from '../shared/api'
import { errorText } from '../shared/problem'

export type Part = 'running' | 'upcoming' | 'finished'
export type Listed = Schemas['ListedEvent']
export const PARTS: readonly Part[] = ['running', 'upcoming', 'finished']

const PAUSE = 300

/** A part of the public list, page by page; a newer question makes the answer to an older one void. */
export function useList(part: Ref<Part>, text: Ref<string>) {
  const events = shallowRef<Listed[]>([])
  const next = ref<string | null>(null)
  const loading = ref(true)
  const error = ref<string | null>(null)
  let asked = 0

  async function load(after: string | null): Promise<void> {
    asked += 1
    const number = asked
    loading.value = true
    error.value = null
    try {
      const query = { state: part.value, text: text.value.trim() || undefined, after: after ?? undefined }
      const page = await api.get('/api/public-events', { query })
      if (number !== asked) return
      events.value = after === null ? page.events : [...events.value, ...page.events]
      next.value = page.next
    } catch (failed) {
      if (number === asked) error.value = errorText(failed)
    } finally {
      if (number === asked) loading.value = false
    }
  }

  const reload = (): Promise<void> => load(null)
  let timer: ReturnType<typeof setTimeout> | undefined
  watch(part, () => {
    events.value = []
    next.value = null
    void reload()
  })
  watch(text, () => {
    clearTimeout(timer)
    timer = setTimeout(() => void reload(), PAUSE)
  })
  onScopeDispose(() => clearTimeout(timer))
  void reload()
  return { events, next, loading, error, reload, more: () => load(next.value), empty: computed(() => !loading.value && events.value.length === 0) }
}
