import { ref, shallowRef, watch } from 'vue'
import { api, type Schemas } from '../api'
import { errorText } from '../problem'
import type { TableView } from '../table-groups'

/** What was said of a table, and who plays in its entries; looked up again whenever the table shows that it changed. */
export function useHistory(event: () => string, table: () => TableView) {
  const told = shallowRef<Schemas['TableHistory'] | null>(null)
  const error = ref('')

  async function load(): Promise<void> {
    const { round: number, table: address } = table()
    try {
      const path = { event_id: event(), number, table: address }
      const reply = await api.get('/api/events/{event_id}/rounds/{number}/tables/{table}/history', { path })
      if (address !== table().table || number !== table().round) return
      told.value = reply
      error.value = ''
    } catch (failed) {
      error.value = errorText(failed)
    }
  }
  watch(
    () => {
      const { round, table: address, version, word_ns, word_ew, ns, ew } = table()
      return [round, address, version, word_ns?.version, word_ew?.version, ...ns.players, ...ew.players].join()
    },
    () => void load(),
    { immediate: true },
  )
  return { told, error, load }
}
