import { computed, onScopeDispose, ref, shallowRef, type ComputedRef, type Ref, type ShallowRef } from 'vue'
import { api, ApiError, type Schemas } from '../shared/api'
import { clockOfView, readClock, ServerTime, useNow, type ClockReading } from '../shared/clock'
import { enterByLink, tokenOfAddress } from '../shared/links'
import { Outbox } from '../shared/outbox'
import { DeviceStore } from '../shared/outbox-store'
import { useOutbox, type OutboxView } from '../shared/outbox-view'
import { PULSE_INTERVALS } from '../shared/pulse'
import { speakAs } from '../shared/session'

export type Grid = Schemas['TableGrid']
export type Table = Schemas['TableView']
export type Call = Schemas['CallView']
export type Criteria = Schemas['Labelled'][]

export interface Hall {
  event: string
  grid: ShallowRef<Grid | null>
  /** Why the page cannot be used at all, or null. */
  refused: ShallowRef<ApiError | 'not_referee' | null>
  reading: ComputedRef<ClockReading>
  /** Server time, ms. */
  now: Ref<number>
  queue: Outbox
  outbox: OutboxView
  /** Local ms of the data shown while the server cannot be reached, else null. */
  staleSince: ComputedRef<number | null>
  refresh: () => Promise<void>
  /** The earlier round that is looked at instead of the one in play, or null. */
  earlier: Ref<number | null>
  /** Looks at an earlier round (a correction was asked for), or again at the one in play. Resolves when it is there. */
  showRound: (round: number | null) => Promise<void>
  /** Puts a table as the server just answered it into the grid, before the next look. */
  put: (table: Table) => void
}

const MAY_RULE = ['referee', 'owner', 'administrator']
const LONGEST_WAIT = 15_000

/** All tables of the round in play, looked at every two seconds, and the way out for what the referee decides. */
export function useHall(event: string): Hall {
  const path = { event_id: event }
  const grid: ShallowRef<Grid | null> = shallowRef(null)
  const refused: ShallowRef<ApiError | 'not_referee' | null> = shallowRef(null)
  const readAt = ref<number | null>(null)
  const unreachable = ref(false)
  const time = new ServerTime()
  const now = useNow(time)
  const queue = new Outbox({ store: new DeviceStore(`ref-${event}`) })
  const outbox = useOutbox(queue)
  const earlier = ref<number | null>(null)
  let inside = false
  let failures = 0
  let stopped = false
  let newest = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  /** By the link's token or cookie; an organizer who has neither comes in by the account. */
  async function enter(): Promise<void> {
    const byLink = tokenOfAddress() !== null
    const session = await enterByLink(event).catch((error: unknown) => {
      if (byLink || !(error instanceof ApiError) || error.status !== 401) throw error
      speakAs('account')
      return enterByLink(event)
    })
    if (!MAY_RULE.includes(session.role)) {
      refused.value = 'not_referee'
      return
    }
    inside = true
    refused.value = null
    void queue.flush(true)
  }

  async function refresh(): Promise<void> {
    newest += 1
    const mine = newest
    try {
      if (!inside) await enter()
      if (!inside) return
      const next =
        earlier.value === null
          ? await api.get('/api/events/{event_id}/current-tables', { path })
          : await api.get('/api/events/{event_id}/rounds/{number}/tables', { path: { ...path, number: earlier.value } })
      if (mine === newest) grid.value = next
      readAt.value = Date.now()
      unreachable.value = false
      failures = 0
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      failures += 1
      if (error.temporary) unreachable.value = true
      else {
        inside = false
        refused.value = error
      }
    }
  }

  async function look(): Promise<void> {
    clearTimeout(timer)
    await refresh()
    if (stopped || document.hidden || (refused.value !== null && failures === 0)) return
    timer = setTimeout(() => void look(), Math.min(LONGEST_WAIT, PULSE_INTERVALS.desk * 2 ** Math.min(failures, 4)))
  }
  const wake = (): void => {
    if (!document.hidden) void look()
  }
  document.addEventListener('visibilitychange', wake)
  addEventListener('online', wake)
  const stopTime = time.start()
  void look()
  onScopeDispose(() => {
    stopped = true
    clearTimeout(timer)
    stopTime()
    document.removeEventListener('visibilitychange', wake)
    removeEventListener('online', wake)
  })

  return {
    event,
    grid,
    refused,
    reading: computed(() =>
      grid.value ? readClock(clockOfView(grid.value.clock), now.value) : { phase: 'idle', seconds: 0 },
    ),
    now,
    queue,
    outbox,
    staleSince: computed(() => (unreachable.value || !outbox.online.value ? readAt.value : null)),
    refresh,
    earlier,
    showRound: async (round) => {
      const before = earlier.value
      earlier.value = round
      await refresh()
      // Without a network what is there stays, under its own number.
      if (round !== null && grid.value?.round !== round) earlier.value = before
    },
    put: (table) => {
      const known = grid.value
      if (!known || known.round !== table.round) return
      newest += 1 // an answer asked for before this would bring the old state back for a moment
      grid.value = { ...known, tables: known.tables.map((other) => (other.table === table.table ? table : other)) }
    },
  }
}
