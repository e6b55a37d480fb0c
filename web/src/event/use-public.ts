import { ref, shallowRef, watch, type Ref, type ShallowRef } from 'vue'

export interface PublicFile<T> {
  /** The newest that came; it stays while the next is under way or the network is away. */
  data: ShallowRef<T | null>
  failed: Ref<boolean>
  retry: () => void
}

/** The file of the version that the pulse names; null while it names none. */
export function usePublicFile<T>(version: () => string | null, load: (version: string) => Promise<T>): PublicFile<T> {
  const data: ShallowRef<T | null> = shallowRef(null)
  const failed = ref(false)
  let asked = 0

  async function read(): Promise<void> {
    const wanted = version()
    if (wanted === null) return
    asked += 1
    const number = asked
    try {
      const found = await load(wanted)
      if (number !== asked) return
      data.value = found
      failed.value = false
    } catch {
      failed.value = number === asked
    }
  }
  watch(version, () => void read(), { immediate: true })
  return { data, failed, retry: () => void read() }
}
