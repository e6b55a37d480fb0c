import { onScopeDispose, ref, shallowRef, watch, type Ref } from 'vue'
import { api, ApiError, type Schemas } from '../shared/api'
import { errorText } from '../shared/problem'

const PAUSE = 300

/** A season's table, page by page; a newer question makes the answer to an older one void. */
export function useTable(ladder: string, season: Ref<string>, text: Ref<string>) {
  const table = shallowRef<Schemas['LadderTable'] | null>(null)
  const rows = shallowRef<Schemas['LadderRow'][]>([])
  const loading = ref(true)
  const missing = ref(false)
  const error = ref<string | null>(null)
  let asked = 0

  async function load(after: string | null): Promise<void> {
    asked += 1
    const number = asked
    loading.value = true
    error.value = null
    try {
      const query = { season: season.value || undefined, text: text.value.trim() || undefined, after: after ?? undefined }
      const page = await api.get('/api/ladders/{ladder_id}', { path: { ladder_id: ladder }, query })
      if (number !== asked) return
      table.value = page
      rows.value = after === null ? page.rows : [...rows.value, ...page.rows]
    } catch (failed) {
      if (number !== asked) return
      if (failed instanceof ApiError && failed.status === 404) missing.value = true
      else error.value = errorText(failed)
    } finally {
      if (number === asked) loading.value = false
    }
  }

  const reload = (): Promise<void> => load(null)
  let timer: ReturnType<typeof setTimeout> | undefined
  watch(season, () => void reload())
  watch(text, () => {
    clearTimeout(timer)
    timer = setTimeout(() => void reload(), PAUSE)
  })
  onScopeDispose(() => clearTimeout(timer))
  void reload()
  return { table, rows, loading, missing, error, reload, more: () => load(table.value?.next ?? null) }
}
