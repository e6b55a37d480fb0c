import { computed, type WritableComputedRef } from 'vue'
import { useRoute, useRouter } from 'vue-router'

/** A filter kept in the address, so that a reload, a bookmark and the back button show the same. */
export function useQuery<V extends string>(name: string, fallback: V): WritableComputedRef<V> {
  const route = useRoute()
  const router = useRouter()
  return computed({
    get: () => {
      const value = route.query[name]
      return typeof value === 'string' ? (value as V) : fallback
    },
    set: (value) => {
      const query = { ...route.query, [name]: value === fallback ? undefined : value }
      void router.replace({ query })
    },
  })
}
