import { computed, onScopeDispose, ref, shallowRef, watch, type ComputedRef, type Ref, type ShallowRef } from 'vue'
import { api, ApiError, forgetReads, type Schemas } from '../shared/api'
import { clockOfView, readClock, ServerTime, useNow, type ClockReading } from '../shared/clock'
import type { Level } from '../shared/levels'
import { Outbox } from '../shared/outbox'
import { DeviceStore } from '../shared/outbox-store'
import { useOutbox, type OutboxView } from '../shared/outbox-view'
import { PULSE_INTERVALS, type Pulse, PulseFeed } from '../shared/pulse'
import { rememberCsrfToken } from '../shared/session'
import { describeDevice, forgetMe, rememberedMe, rememberMe, type Me } from './remembered'
import { forgetChoices, playAddress, rememberChoice, rememberElsewhere, type Elsewhere } from './linked'
import { baseVersion, type About } from './sending'
import { freshness, sideOf } from './situation'

export type PublicEvent = Schemas['PublicEvent']
export type Candidate = Schemas['Candidate']

export interface Player {
  event: string
  me: ShallowRef<Me | null>
  /** What anybody may know of the event; read while nobody is known on this phone. */
  publicEvent: ShallowRef<PublicEvent | null>
  /** `asking` until it is known whether this phone speaks for somebody. */
  identity: Ref<'asking' | 'nobody' | 'known'>
  /** The server's refusal of the whole page (no such event), or the failure of a first start without a network. */
  failure: ShallowRef<ApiError | null>
  pulse: ShallowRef<Pulse | null>
  reading: ComputedRef<ClockReading>
  /** Server time, ms. */
  now: Ref<number>
  outbox: OutboxView
  /** Local ms of the data shown while the server cannot be reached, else null. */
  staleSince: ComputedRef<number | null>
  search: (text: string) => Promise<Candidate[]>
  /** `elsewhere`: the linked events in which the search found the same person, too. */
  identify: (candidate: Candidate, text: string, elsewhere: Elsewhere[]) => Promise<void>
  checkIn: () => Promise<void>
  submit: (ns: Level, ew: Level) => Promise<void>
  discard: (key: string) => Promise<void>
  forget: () => Promise<void>
  refresh: () => Promise<void>
  /** Looks at the pulse now, not when the next look is due. */
  lookNow: () => void
  retrySending: () => void
}

const SOON = 120_000
/** A ruling moves the standings without touching anything else of the pulse; so often at most it is looked for. */
const AFTER_STANDINGS = 60_000

/** Everything a player's phone knows and does, kept up to date. */
export function usePlayer(event: string): Player {
  const path = { event_id: event }
  const kept = rememberedMe(event)
  const me: ShallowRef<Me | null> = shallowRef(kept?.me ?? null)
  const readAt = ref(kept?.at ?? 0)
  const identity = ref<'asking' | 'nobody' | 'known'>(kept ? 'known' : 'asking')
  const publicEvent: ShallowRef<PublicEvent | null> = shallowRef(null)
  const failure: ShallowRef<ApiError | null> = shallowRef(null)
  const pulse: ShallowRef<Pulse | null> = shallowRef(null)
  const unreachable = ref(false)
  const time = new ServerTime()
  const now = useNow(time)
  const queue = new Outbox({ store: new DeviceStore(`play-${event}`) })
  const outbox = useOutbox(queue)
  if (kept) rememberCsrfToken(kept.me.csrf)

  const reading = computed<ClockReading>(() => {
    const mine = me.value
    const beats = pulse.value
    const newer = beats !== null && (mine === null || (beats.clock.version ?? 0) >= mine.clock.version)
    if (newer) return readClock(beats.clock, now.value)
    return mine ? readClock(clockOfView(mine.clock), now.value) : { phase: 'idle', seconds: 0 }
  })

  let asked = 0
  let stale = 0
  let publishedAt = 0
  let looks = 0

  function take(next: Me): void {
    me.value = next
    readAt.value = Date.now()
    unreachable.value = false
    failure.value = null
    identity.value = 'known'
    rememberMe(event, next, readAt.value)
    rememberCsrfToken(next.csrf)
    if (queue.held) void queue.flush(true)
  }

  async function readPublic(): Promise<void> {
    try {
      publicEvent.value = await api.get('/api/events/{event_id}/public', { path })
      failure.value = null
    } catch (error) {
      if (error instanceof ApiError && publicEvent.value === null) failure.value = error
    }
  }

  function lose(): void {
    me.value = null
    identity.value = 'nobody'
    forgetMe(event)
    forgetChoices(event)
  }

  /** Reads everything of mine anew. An answer older than an own change is thrown away. */
  async function refresh(): Promise<void> {
    if (identity.value === 'nobody') return readPublic()
    asked += 1
    const number = asked
    try {
      const next = await api.get('/api/events/{event_id}/me', { path })
      if (number > stale) take(next)
    } catch (error) {
      if (!(error instanceof ApiError)) return
      if (error.status === 401) {
        lose()
        await readPublic()
      } else if (error.status === 404) failure.value = error
      else {
        unreachable.value = true
        if (me.value === null) failure.value = error
      }
    }
  }

  /** An own change is in: answers to earlier questions no longer count. */
  function changed(): void {
    stale = asked
    looks = 0
  }

  const feed = new PulseFeed({
    event,
    interval: (latest) => {
      const soon = Date.now() - publishedAt < SOON || ['countdown', 'stop_drawing', 'over'].includes(reading.value.phase)
      return latest?.phase !== 'ended' && soon ? PULSE_INTERVALS.phoneSoon : PULSE_INTERVALS.phone
    },
    onPulse: follow,
    onLook: (reached) => {
      // A look fails before the first pulse is written, too; the own data then tells whether there is a network.
      if (reached) unreachable.value = false
      else if (identity.value === 'known') void refresh()
    },
  })

  function follow(next: Pulse): void {
    const before = pulse.value
    pulse.value = next
    if (before === null) {
      const mine = me.value
      if (mine && (mine.round !== next.round || (next.phase !== 'ended' && mine.round_phase !== next.phase))) void refresh()
      return
    }
    if (before.pairings !== next.pairings || before.round !== next.round) publishedAt = Date.now()
    const moved =
      before.round !== next.round || before.phase !== next.phase || before.pairings !== next.pairings ||
      before.clock.version !== next.clock.version
    if (moved || (before.standings !== next.standings && Date.now() - readAt.value > AFTER_STANDINGS)) void refresh()
  }

  // The own table is asked about in play, as often as its state deserves; never while the phone is in a pocket.
  const ticking = setInterval(() => {
    const mine = me.value
    if (mine === null || document.hidden || unreachable.value) return
    const wanted = freshness(mine, reading.value, looks)
    if (wanted === null || Date.now() - readAt.value < wanted) return
    readAt.value = Date.now() // not again before this one is answered
    looks += 1
    void refresh()
  }, 500)
  const visible = (): void => {
    if (!document.hidden && Date.now() - readAt.value > 3000) void refresh()
  }
  document.addEventListener('visibilitychange', visible)
  addEventListener('online', refresh)

  watch(outbox.items, (items) => {
    const mine = me.value
    const table = mine?.table
    if (!mine || !table) return
    const side = sideOf(mine) === 'ns' ? 'word_ns' : 'word_ew'
    for (const item of items) {
      const reply = item.reply as Schemas['TableView'] | null
      if (item.state !== 'done' || !reply || reply.round !== table.round || reply.table !== table.table) continue
      if ((reply[side]?.version ?? 0) <= (me.value?.table?.[side]?.version ?? 0)) continue
      changed()
      take({ ...mine, table: reply })
    }
    if (items.some((item) => item.state === 'rejected' && item.finishedAt !== null && item.finishedAt > readAt.value)) void refresh()
  })

  const stops = [feed.start(), time.start()]
  void refresh()
  if (kept === null) void readPublic()
  onScopeDispose(() => {
    stops.forEach((stop) => stop())
    clearInterval(ticking)
    document.removeEventListener('visibilitychange', visible)
    removeEventListener('online', refresh)
  })

  return {
    event,
    me,
    publicEvent,
    identity,
    failure,
    pulse,
    reading,
    now,
    outbox,
    staleSince: computed(() => (me.value && (unreachable.value || !outbox.online.value) ? readAt.value : null)),
    search: async (text) => (await api.post('/api/events/{event_id}/searches', { path, body: { text } })).candidates,
    identify: async (candidate, text, elsewhere) => {
      const body = { number: candidate.number, player: candidate.player, text, device: describeDevice() }
      const chosen = candidate.event_id
      const next = await api.post('/api/events/{event_id}/devices', { path: { event_id: chosen }, body })
      rememberElsewhere(chosen, elsewhere)
      if (chosen !== event) {
        // The code serves a set of events; from now on it leads this phone to the chosen one.
        rememberMe(chosen, next, Date.now())
        rememberChoice(event, chosen)
        location.assign(playAddress(chosen))
        return
      }
      changed()
      take(next)
      void feed.look()
    },
    checkIn: async () => {
      const done = await api.put('/api/events/{event_id}/me/check-in', { path })
      changed()
      if (me.value) take({ ...me.value, checked_in_at: done.checked_in_at })
    },
    submit: async (ns, ew) => {
      const mine = me.value
      if (!mine?.table) return
      const { round, table } = mine.table
      const about: About = { round, table, ns, ew }
      const body = {
        ns_level: ns,
        ew_level: ew,
        base_version: baseVersion(mine, outbox.items.value),
        tapped_at: Math.round(now.value),
      }
      await queue.enqueue(`/api/events/${encodeURIComponent(event)}/rounds/${round}/tables/${table}/submissions`, body, about)
    },
    discard: (key) => queue.discard(key),
    forget: async () => {
      await api.delete('/api/events/{event_id}/devices', { path }).catch((error: unknown) => {
        // Not known any more is as good as forgotten; without a network the cookie would stay and speak.
        if (!(error instanceof ApiError) || error.status !== 401) throw error
      })
      for (const item of await queue.items()) await queue.discard(item.key)
      forgetReads()
      rememberCsrfToken(null)
      lose()
      await readPublic()
    },
    refresh,
    lookNow: () => void feed.look(),
    retrySending: () => void queue.flush(true),
  }
}
