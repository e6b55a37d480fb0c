import { shallowRef, type Component, type ShallowRef } from 'vue'

/** A page of the phone that is fetched when it is first needed; it stays for the rest of the visit. */
export interface Part {
  page: ShallowRef<Component | null>
  failed: ShallowRef<boolean>
  load: () => Promise<void>
}

function part(fetchPage: () => Promise<{ default: Component }>): Part {
  const page: ShallowRef<Component | null> = shallowRef(null)
  const failed = shallowRef(false)
  let loading: Promise<void> | null = null
  const load = (): Promise<void> => {
    failed.value = false
    loading ??= fetchPage().then(
      (module) => {
        page.value = module.default
      },
      () => {
        failed.value = true
        loading = null
      },
    )
    return loading
  }
  return { page, failed, load }
}

export const findPart = part(() => import('./find/FindPage.vue'))
export const tablePart = part(() => import('./table/TablePage.vue'))
export const standingsPart = part(() => import('./standings/StandingsPage.vue'))
export const minePart = part(() => import('./mine/MyPage.vue'))
