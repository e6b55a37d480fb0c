import { onScopeDispose, ref, watch, type Ref } from 'vue'
import { api, ApiError } from '../shared/api'
import type { Level } from '../shared/levels'
import { levelsPossible } from '../shared/score-words'
import { words } from './situation'
import type { Player } from './use-player'

/** `local`: on this phone only, so far; `shared`: the whole table and the referee see it. */
export type Draft = 'empty' | 'local' | 'shared'

export interface Levels {
  ns: Ref<Level | null>
  ew: Ref<Level | null>
  draft: Ref<Draft>
  /** Puts other levels in (the other side's, or one's own to correct). */
  set: (ns: Level | null, ew: Level | null) => void
}

interface Kept {
  ns: Level | null
  ew: Level | null
  /** Server ms of the last touch. */
  at: number
}

const PAUSE = 600
/** While somebody is choosing, what the others enter does not move the buttons under the finger. */
const AT_WORK = 5000

/**
 * The levels as entered so far: kept on the phone with every touch, and a moment later as the table's running score,
 * so that partner, opponents and referee see the same and nothing is lost when the page closes.
 */
export function useLevels(player: Player, mayScore: () => boolean): Levels {
  const ns = ref<Level | null>(null)
  const ew = ref<Level | null>(null)
  const draft = ref<Draft>('empty')
  let at = 0
  let key = ''
  let filling = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function read(): Kept | null {
    try {
      return JSON.parse(localStorage.getItem(key) ?? 'null') as Kept | null
    } catch {
      return null
    }
  }

  function keep(): void {
    try {
      localStorage.setItem(key, JSON.stringify({ ns: ns.value, ew: ew.value, at } satisfies Kept))
    } catch {
      // full or refused: the running score on the server remains
    }
  }

  function fill(nextNs: Level | null, nextEw: Level | null, when: number, state: Draft): void {
    filling = true
    ns.value = nextNs
    ew.value = nextEw
    at = when
    draft.value = state
    filling = false
  }

  async function share(): Promise<void> {
    const table = player.me.value?.table
    if (!table || ns.value === null || ew.value === null || !levelsPossible(ns.value, ew.value) || !mayScore()) return
    const entered = at
    try {
      await api.put('/api/events/{event_id}/rounds/{number}/tables/{table}/running', {
        path: { event_id: player.event, number: table.round, table: table.table },
        body: { ns_level: ns.value, ew_level: ew.value },
      })
      if (at === entered) draft.value = 'shared'
    } catch (error) {
      // Refused or no network: it stays on the phone, and the submission itself is what counts.
      if (!(error instanceof ApiError)) throw error
    }
  }

  // Before the rendering, so that no frame shows the levels of another table.
  watch(
    player.me,
    (me) => {
      const table = me?.table
      if (!me || !table) return
      const next = `guanjun:levels:${player.event}:${me.entry.number}:${table.round}:${table.table}`
      if (next !== key) {
        key = next
        const kept = read()
        const mine = words(me).mine
        if (kept) fill(kept.ns, kept.ew, kept.at, 'local')
        else if (mine) fill(mine.score.ns_level as Level | null, mine.score.ew_level as Level | null, mine.at, 'shared')
        else fill(null, null, 0, 'empty')
      }
      const running = table.running
      if (running && running.at > at && player.now.value - at > AT_WORK) {
        fill(running.score.ns_level as Level | null, running.score.ew_level as Level | null, running.at, 'shared')
      }
    },
    { immediate: true },
  )
  watch(
    [ns, ew],
    () => {
      if (filling) return
      at = player.now.value
      draft.value = 'local'
      keep()
      clearTimeout(timer)
      timer = setTimeout(() => void share(), PAUSE)
    },
    { flush: 'sync' },
  )
  const again = (): void => {
    if (draft.value === 'local') void share()
  }
  addEventListener('online', again)
  onScopeDispose(() => {
    clearTimeout(timer)
    removeEventListener('online', again)
  })

  return {
    ns,
    ew,
    draft,
    set: (nextNs, nextEw) => {
      ns.value = nextNs
      ew.value = nextEw
    },
  }
}
