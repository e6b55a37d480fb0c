import { onScopeDispose, ref, watch, type Ref } from 'vue'
import { api, ApiError } from '../shared/api'
import type { Score } from '../shared/score-words'
import { bodyOf, emptyEntry, entryOf, lackOf, saysTheSame, scoreEntered, type Entry } from './entering'
import { words } from './situation'
import type { Player } from './use-player'

/** `local`: on this phone only, so far; `shared`: the whole table and the referee see it. */
export type Draft = 'empty' | 'local' | 'shared'

export interface TableEntry {
  entry: Ref<Entry>
  draft: Ref<Draft>
  /** Changes what is entered; the rest stays. */
  change: (changes: Partial<Entry>) => void
  /** Puts another score in (the other side's, or one's own to correct). */
  show: (score: Score) => void
}

interface Kept {
  entry: Entry
  /** Server ms of the last touch. */
  at: number
}

const PAUSE = 600
/** While somebody is choosing, what the others enter does not move the buttons under the finger. */
const AT_WORK = 5000
const WAY = 'guanjun:by:'

/**
 * The result as entered so far: kept on the phone with every touch, and a moment later as the table's running score,
 * so that partner, opponents and referee see the same and nothing is lost when the page closes.
 */
export function useEntry(player: Player, mayScore: () => boolean): TableEntry {
  const { event } = player.visit
  const entry = ref<Entry>(emptyEntry('levels')) as Ref<Entry>
  const draft = ref<Draft>('empty')
  let at = 0
  let key = ''
  let timer: ReturnType<typeof setTimeout> | undefined

  function stored<T>(name: string): T | null {
    try {
      return JSON.parse(localStorage.getItem(name) ?? 'null') as T | null
    } catch {
      return null
    }
  }

  function store(name: string, value: unknown): void {
    try {
      localStorage.setItem(name, JSON.stringify(value))
    } catch {
      // full or refused: the running score on the server remains
    }
  }

  function fill(next: Entry, when: number, state: Draft): void {
    entry.value = next
    at = when
    draft.value = state
  }

  async function share(): Promise<void> {
    const me = player.me.value
    const table = me?.table
    const score = me && scoreEntered(entry.value, me.scoring)
    if (!table || !score || lackOf(entry.value, me.scoring, table.to_play) === 'both_passed' || !mayScore()) return
    const entered = at
    try {
      await api.put('/api/events/{event_id}/rounds/{number}/tables/{table}/running', {
        path: { event_id: event, number: table.round, table: table.table },
        body: bodyOf(score, me.scoring) as never,
      })
      if (at === entered) draft.value = 'shared'
    } catch (error) {
      // Refused or no network: it stays on the phone, and the submission itself is what counts.
      if (!(error instanceof ApiError)) throw error
    }
  }

  function touched(next: Entry): void {
    fill(next, player.now.value, 'local')
    store(key, { entry: next, at } satisfies Kept)
    clearTimeout(timer)
    timer = setTimeout(() => void share(), PAUSE)
  }

  // Before the rendering, so that no frame shows what belongs to another table.
  watch(
    player.me,
    (me) => {
      const table = me?.table
      if (!me || !table) return
      const next = `guanjun:entry:${event}:${me.entry.number}:${table.round}:${table.table}`
      if (next !== key) {
        key = next
        const kept = stored<Kept>(key)
        const mine = words(me).mine
        const by = me.scoring.by === 'boards' ? 'boards' : (stored<Entry['by']>(WAY + event) ?? 'levels')
        if (kept?.entry) fill(kept.entry, kept.at, 'local')
        else if (mine) fill(entryOf(mine.score, me.scoring), mine.at, 'shared')
        else fill(emptyEntry(by), 0, 'empty')
      }
      const running = table.running
      if (running && running.at > at && player.now.value - at > AT_WORK) {
        const news = !saysTheSame(scoreEntered(entry.value, me.scoring), running.score)
        fill(news ? entryOf(running.score, me.scoring, entry.value.by) : entry.value, running.at, 'shared')
      }
    },
    { immediate: true },
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
    entry,
    draft,
    change: (changes) => {
      if (changes.by) store(WAY + event, changes.by)
      touched({ ...entry.value, ...changes })
    },
    show: (score) => {
      const me = player.me.value
      if (me) touched(entryOf(score, me.scoring))
    },
  }
}
