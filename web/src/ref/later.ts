import { shallowRef, type Component, type ShallowRef } from 'vue'

/**
 * What the grid does not need for its first sight: a table's sheet and the penalties. Fetched as soon as the grid is
 * there, for a referee goes where the network is bad; asked for again when it is wanted and has not come.
 */
export interface Later {
  part: ShallowRef<Component | null>
  load: () => Promise<void>
}

function later(fetchPart: () => Promise<{ default: Component }>): Later {
  const part: ShallowRef<Component | null> = shallowRef(null)
  const load = async (): Promise<void> => {
    if (part.value !== null) return
    const module = await fetchPart().catch(() => null) // no network: asked for again when it is opened
    if (module !== null) part.value = module.default
  }
  return { part, load }
}

export const tableSheet = later(() => import('./TableSheet.vue'))
export const penaltyPage = later(() => import('./PenaltyPage.vue'))
