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

/** All that a player who is known needs at once: the table, scoring, what waits to be sent. */
export const knownPart = part(() => import('./known/KnownPage.vue'))
export const standingsPart = part(() => import('./standings/StandingsPage.vue'))
export const minePart = part(() => import('./mine/MyPage.vue'))
/** Whoever was found, and signing in where the event asks for it; needed after the first search. */
export const foundPart = part(() => import('./find/FoundPage.vue'))
/** The sheet in which a team says who of it plays. */
export const lineUpPart = part(() => import('./table/LineUpSheet.vue'))
/** The sheets in which a referee is called and a table given up. */
export const actsPart = part(() => import('./table/ActSheets.vue'))
