import { computed, onScopeDispose, ref, shallowRef, type ComputedRef, type Ref, type ShallowRef } from 'vue'
import { ApiError, type Schemas } from '../shared/api'
import { clockOfView, inServerTime, readClock, ServerTime, useNow, type ClockReading } from '../shared/clock'
import { enterByLink, tokenOfAddress } from '../shared/links'
import { Outbox } from '../shared/outbox'
import { DeviceStore } from '../shared/outbox-store'
import { useOutbox, type OutboxView } from '../shared/outbox-view'
import { fullLookAfter, newsFor, readChanges, readTables, type Grid } from '../shared/officials/table-watch'
import { PulseFeed, WATCHED, watchInterval } from '../shared/pulse'
import { speakAs } from '../shared/session'

export type { Grid }
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
  /** Server ms of the data shown while the server cannot be reached, else null. */
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
const LONGEST_WAIT = 6000

/**
 * All tables of the round in play, and the way out for what the referee decides. What is watched is the public pulse;
 * the tables are asked for when it says that something changed, and then only those that did.
 */
export function useHall(event: string): Hall {
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
  let asking = 0
  let retryAt = 0
  let fullAt = 0
  let newsAt = Date.now()
  /** Of the pulse, when the tables were last asked for. */
  let calls: number | null = null

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

  const feed = new PulseFeed({
    event,
    interval: (latest) => watchInterval(latest?.phase, Date.now() - newsAt),
    jitter: WATCHED.spread,
    longestWait: LONGEST_WAIT,
    onPulse: () => (newsAt = Date.now()),
    onLook: follow,
  })

  function follow(reached: boolean): void {
    const pulse = feed.latest
    const known = grid.value
    if (stopped || asking > 0 || refused.value === 'not_referee') return
    // No pulse: nothing is published yet, or there is no network, and the API's answer tells which.
    if (!reached || pulse === null || known === null || failures > 0) {
      if (Date.now() >= retryAt) void refresh()
      return
    }
    const old = Date.now() - fullAt > fullLookAfter(known.tables.length)
    const news = newsFor(known, pulse, calls, earlier.value !== null)
    if (old || news === 'all') void refresh()
    else if (news === 'changes') void ask(() => readChanges(event, known))
    else readAt.value = Date.now()
  }

  async function refresh(): Promise<void> {
    if (await ask(() => readTables(event, earlier.value))) fullAt = Date.now()
  }

  /** Asks for the tables; whether the answer came. */
  async function ask(question: () => Promise<Grid>): Promise<boolean> {
    newest += 1
    asking += 1
    const mine = newest
    const seen = feed.latest?.calls ?? 0
    try {
      if (!inside) await enter()
      if (!inside) return false
      const next = await question()
      if (mine === newest) {
        grid.value = next
        calls = seen
      }
      readAt.value = Date.now()
      unreachable.value = false
      failures = 0
      return true
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      failures += 1
      retryAt = Date.now() + Math.min(LONGEST_WAIT, WATCHED.often * 2 ** Math.min(failures, 4))
      if (error.temporary) unreachable.value = true
      else {
        inside = false
        refused.value = error
      }
      return false
    } finally {
      asking -= 1
    }
  }

  const stopTime = time.start()
  const stopFeed = feed.start()
  void refresh()
  onScopeDispose(() => {
    stopped = true
    stopTime()
    stopFeed()
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
    staleSince: computed(() => (readAt.value !== null && (unreachable.value || !outbox.online.value) ? inServerTime(time, readAt.value) : null)),
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
