import { onScopeDispose, shallowRef, watch, type Ref, type ShallowRef } from 'vue'

export interface Kept<T> {
  pages: ShallowRef<T[]>
  /** Local ms when the shown version came in, null before the first. */
  receivedAt: ShallowRef<number | null>
}

const TRY_AGAIN = 3000
/** A large field's snapshot is dozens of files: it is fetched less often than its version changes. */
const GAP_PER_PAGE = 300

/**
 * The newest complete snapshot of `version`. The last good one stays until the next is complete, whatever fails in
 * between; nothing is fetched while `wanted` is false.
 */
export function useSnapshot<T>(version: Ref<string | null>, wanted: Ref<boolean>, load: (version: string) => Promise<T[]>): Kept<T> {
  const pages: ShallowRef<T[]> = shallowRef([])
  const receivedAt: ShallowRef<number | null> = shallowRef(null)
  let shown: string | null = null
  let loading = false
  let notBefore = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  async function update(): Promise<void> {
    clearTimeout(timer)
    const target = version.value
    if (loading || !wanted.value || target === null || target === shown) return
    const early = notBefore - Date.now()
    if (early > 0) {
      timer = setTimeout(() => void update(), early)
      return
    }
    loading = true
    let again = TRY_AGAIN
    try {
      pages.value = await load(target)
      shown = target
      receivedAt.value = Date.now()
      again = pages.value.length * GAP_PER_PAGE
    } catch {
      // The version may be gone already (the pulse will name the next one) or the network is down: try again.
    } finally {
      loading = false
      notBefore = Date.now() + again
      timer = setTimeout(() => void update(), again)
    }
  }

  watch([version, wanted], () => void update(), { immediate: true })
  onScopeDispose(() => clearTimeout(timer))
  return { pages, receivedAt }
}
