import { computed, onScopeDispose, ref, watch, type ComputedRef, type Ref } from 'vue'
import { api, ApiError, type Schemas } from '../shared/api'
import { clockOfView, readClock, ServerTime, useNow, type ClockReading } from '../shared/clock'
import { Outbox } from '../shared/outbox'
import { DeviceStore } from '../shared/outbox-store'
import { useOutbox, type OutboxView } from '../shared/outbox-view'
import type { Score } from '../shared/score-words'
import { bodyOf } from './entering'
import type { Me } from './remembered'
import { needsRoom, rememberedRoom, rememberRoom, roomByLineUp, seatedAt, withTable, type Room } from './rooms'
import { baseVersion, isNewer, tableAnswered, type About } from './sending'
import { freshness, isAwaited, isEager, words } from './situation'
import type { Visit } from './use-visit'

export interface Player {
  visit: Visit
  /** As the server says, with the table of the room in which this player sits. */
  me: ComputedRef<Me | null>
  /** The room in which this player sits, where a match has two; null until it is known. */
  room: Ref<Room | null>
  reading: ComputedRef<ClockReading>
  /** Server time, ms. */
  now: Ref<number>
  outbox: OutboxView
  /** Local ms of the data shown while the server cannot be reached, else null. */
  staleSince: ComputedRef<number | null>
  checkIn: () => Promise<void>
  submit: (score: Score) => Promise<void>
  /** Calls the referee, or asks to correct a result (`correction`, which says what). Kept until it is sent. */
  call: (kind: CallKind, message: string, table: Schemas['TableView']) => Promise<void>
  withdrawCall: (call: string) => Promise<void>
  /** Says who of the team plays, for each room two places; rejects with what the server refuses. */
  giveLineUp: (known: Schemas['MyLineUp'], rooms: number[][]) => Promise<void>
  /** The own side gives the table up. */
  giveUp: () => Promise<void>
  discard: (key: string) => Promise<void>
  forget: () => Promise<void>
  chooseRoom: (room: Room) => void
  retrySending: () => void
}

export type CallKind = 'call' | 'correction'

/** Everything the phone of a known player does at its table, kept up to date; lives as long as that player's page. */
export function usePlayer(visit: Visit): Player {
  const { event } = visit
  const path = { event_id: event }
  const time = new ServerTime()
  const now = useNow(time)
  const queue = new Outbox({ store: new DeviceStore(`play-${event}`) })
  const outbox = useOutbox(queue)
  const room = ref<Room | null>(null)
  const me = computed(() => visit.me.value && seatedAt(visit.me.value, room.value))

  const reading = computed<ClockReading>(() => {
    const mine = me.value
    const beats = visit.pulse.value
    const newer = beats !== null && (mine === null || (beats.clock.version ?? 0) >= mine.clock.version)
    if (newer) return readClock(beats.clock, now.value)
    return mine ? readClock(clockOfView(mine.clock), now.value) : { phase: 'idle', seconds: 0 }
  })
  visit.eager.now = () => isEager(reading.value)

  let looks = 0
  const watched = (): void => {
    looks = 0
  }

  /** The server answered an own act with the table as it now is. */
  function learnTable(reply: Schemas['TableView']): void {
    looks = 0
    if (visit.me.value) visit.learn(withTable(visit.me.value, reply))
  }

  // The own table is asked about in play, as often as its state deserves; never while the phone is in a pocket.
  const ticking = setInterval(() => {
    const mine = me.value
    if (mine === null || document.hidden || visit.unreachable.value) return
    const wanted = freshness(mine, reading.value, looks)
    if (wanted === null || Date.now() - visit.readAt.value < wanted) return
    visit.readAt.value = Date.now() // not again before this one is answered
    looks += 1
    // What somebody waits for is asked of the server; for the others the public files say whether there is anything.
    if (isAwaited(mine)) void visit.refresh()
    else visit.lookNow()
  }, 500)

  addEventListener('pointerdown', watched)
  document.addEventListener('visibilitychange', watched)
  watch([() => me.value?.table?.version, () => me.value?.table?.state, () => me.value?.table?.table, () => me.value?.round], watched)

  watch(
    visit.me,
    (mine) => {
      if (mine === null) return
      if (queue.held) void queue.flush(true)
      if (room.value === null && needsRoom(mine)) room.value = rememberedRoom(event, mine) ?? roomByLineUp(mine)
    },
    { immediate: true },
  )

  watch(outbox.items, (items) => {
    for (const item of items) {
      if (item.finishedAt === null) continue
      const news = item.finishedAt > visit.readAt.value
      const reply = item.state === 'done' ? tableAnswered(item) : null
      if (reply && visit.me.value && isNewer(visit.me.value, reply)) learnTable(reply)
      else if (news && !reply) void visit.refresh()
    }
  })

  const stop = time.start()
  onScopeDispose(() => {
    stop()
    clearInterval(ticking)
    removeEventListener('pointerdown', watched)
    document.removeEventListener('visibilitychange', watched)
    visit.eager.now = () => false
  })

  const tablePath = (table: { round: number; table: number }): string =>
    `/api/events/${encodeURIComponent(event)}/rounds/${table.round}/tables/${table.table}`

  return {
    visit,
    me,
    room,
    reading,
    now,
    outbox,
    staleSince: computed(() => (visit.me.value && (visit.unreachable.value || !outbox.online.value) ? visit.readAt.value : null)),
    checkIn: async () => {
      const done = await api.put('/api/events/{event_id}/me/check-in', { path })
      if (visit.me.value) visit.learn({ ...visit.me.value, checked_in_at: done.checked_in_at })
    },
    submit: async (score) => {
      const mine = me.value
      if (!mine?.table) return
      const { round, table } = mine.table
      const about: About = { kind: 'submission', round, table, score }
      const body = {
        ...bodyOf(score, mine.scoring),
        base_version: baseVersion(mine, outbox.items.value),
        tapped_at: Math.round(now.value),
      }
      await queue.enqueue(`${tablePath(mine.table)}/submissions`, body, about)
    },
    call: async (kind, message, table) => {
      const about: About = { kind: 'call', call: kind, message, round: table.round, table: table.table }
      await queue.enqueue(`${tablePath(table)}/calls`, { kind, message }, about)
    },
    withdrawCall: async (call) => {
      const about: About = { kind: 'withdrawal', call }
      await queue.enqueue(`/api/events/${encodeURIComponent(event)}/calls/${encodeURIComponent(call)}/withdrawal`, {}, about)
    },
    giveLineUp: async ({ round, version }, rooms) => {
      try {
        const line_up = await api.put('/api/events/{event_id}/me/line-up', { path, body: { round, rooms, version } })
        if (visit.me.value) visit.learn({ ...visit.me.value, line_up })
      } finally {
        // Refused: what stands now is seen at once. Given: for a published round the tables know it, too.
        void visit.refresh()
      }
    },
    giveUp: async () => {
      const mine = me.value
      if (!mine?.table) return
      const { round, table } = mine.table
      const body = { base_version: words(mine).mine?.version ?? 0, tapped_at: Math.round(now.value) }
      await queue.enqueue(`${tablePath(mine.table)}/forfeit`, body, { kind: 'forfeit', round, table } satisfies About)
    },
    discard: (key) => queue.discard(key),
    forget: async () => {
      await api.delete('/api/events/{event_id}/devices', { path }).catch((error: unknown) => {
        // Not known any more is as good as forgotten; without a network the cookie would stay and speak.
        if (!(error instanceof ApiError) || error.status !== 401) throw error
      })
      for (const item of await queue.items()) await queue.discard(item.key)
      await visit.forget()
    },
    chooseRoom: (next) => {
      room.value = next
      if (visit.me.value) rememberRoom(event, visit.me.value, next)
    },
    retrySending: () => void queue.flush(true),
  }
}
