import { onScopeDispose, ref, shallowRef, type Ref, type ShallowRef } from 'vue'
import { api, ApiError, forgetReads, type Schemas } from '../shared/api'
import { type Changes, publicFile, type Pulse, PULSE_INTERVALS, PulseFeed } from '../shared/pulse'
import { rememberCsrfToken } from '../shared/session'
import { forgetChoices, playAddress, rememberChoice, rememberElsewhere, type Elsewhere } from './linked'
import { describeDevice, forgetMe, rememberedMe, rememberMe, type Me } from './remembered'
import { isMine, moved, toldBy } from './news'

export type PublicEvent = Schemas['PublicEvent']
export type Candidate = Schemas['Candidate']

/** Who this phone speaks for, and what is going on in the event: all that the first look at the page needs. */
export interface Visit {
  event: string
  me: ShallowRef<Me | null>
  /** Local ms when `me` came from the server (or was last asked for). */
  readAt: Ref<number>
  /** What anybody may know of the event; read while nobody is known on this phone. */
  publicEvent: ShallowRef<PublicEvent | null>
  /** `asking` until it is known whether this phone speaks for somebody. */
  identity: Ref<'asking' | 'nobody' | 'known'>
  /** The server's refusal of the whole page (no such event), or the failure of a first start without a network. */
  failure: ShallowRef<ApiError | null>
  pulse: ShallowRef<Pulse | null>
  /** The last attempt to reach the server failed. */
  unreachable: Ref<boolean>
  /** Set by who knows the round's clock: is something about to happen, so that the pulse is looked at more often? */
  eager: { now: () => boolean }
  /** Whether the standings are in front, which move without anything of mine. */
  ranks: { shown: boolean }
  search: (text: string) => Promise<Candidate[]>
  /** `elsewhere`: the linked events in which the search found the same person, too. */
  identify: (candidate: Candidate, text: string, elsewhere: Elsewhere[]) => Promise<void>
  refresh: () => Promise<void>
  /** Something newer than every question asked so far is known of me (the answer to an own act). */
  learn: (next: Me) => void
  /** Nobody is known on this phone any more. */
  forget: () => Promise<void>
  /** Looks at the pulse now, not when the next look is due, and asks for me if anything of mine has changed. */
  lookNow: () => void
}

const SOON = 120_000
/** While the page stays in front: so often at most it fetches what the pulse has no room for. */
const AFTER_CHANGES = 20_000
/** Between rounds a correction may move the own rank; so often at most it is asked for. */
const AFTER_STANDINGS = 300_000

/** Starts the visit: who am I, and the event's pulse from now on. */
export function useVisit(event: string): Visit {
  const path = { event_id: event }
  const kept = rememberedMe(event)
  const me: ShallowRef<Me | null> = shallowRef(kept?.me ?? null)
  const readAt = ref(kept?.at ?? 0)
  const identity = ref<'asking' | 'nobody' | 'known'>(kept ? 'known' : 'asking')
  const publicEvent: ShallowRef<PublicEvent | null> = shallowRef(null)
  const failure: ShallowRef<ApiError | null> = shallowRef(null)
  const pulse: ShallowRef<Pulse | null> = shallowRef(null)
  const unreachable = ref(false)
  const eager = { now: () => false }
  const ranks = { shown: false }
  if (kept) rememberCsrfToken(kept.me.csrf)

  let asked = 0
  let asking = 0
  let stale = 0
  /** Up to this change nothing of mine has moved. */
  let known = 0
  /** Somebody looks: after the next pulse it is asked for what is new. */
  let wanted = false
  let publishedAt = 0
  /** The pulse is as it was at the look before. */
  let quiet = false

  function take(next: Me): void {
    me.value = next
    readAt.value = Date.now()
    unreachable.value = false
    failure.value = null
    identity.value = 'known'
    rememberMe(event, next, readAt.value)
    rememberCsrfToken(next.csrf)
  }

  function learn(next: Me): void {
    stale = asked // answers to earlier questions no longer count
    take(next)
  }

  let askingPublic: Promise<void> | null = null

  function readPublic(): Promise<void> {
    askingPublic ??= askPublic().then(() => {
      askingPublic = null
    })
    return askingPublic
  }

  async function askPublic(): Promise<void> {
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
    asking += 1
    const number = asked
    try {
      const next = await api.get('/api/events/{event_id}/me', { path })
      if (number > stale) take(next)
    } catch (error) {
      if (!(error instanceof ApiError)) return
      if (error.status === 401) {
        lose()
        if (publicEvent.value === null) await readPublic()
      } else if (error.status === 404) failure.value = error
      else {
        unreachable.value = true
        if (me.value === null) failure.value = error
      }
    } finally {
      asking -= 1
    }
  }

  function changesUpTo(newest: number): Promise<Changes | null> {
    return fetch(publicFile(event, 'changes', `${newest}.json`))
      .then((reply) => reply.json() as Promise<Changes>)
      .catch(() => null)
  }

  /** Asks for me if the public files say that something of mine has changed. */
  async function check(): Promise<void> {
    const mine = me.value
    const seen = pulse.value
    if (asking > 0) return
    if (mine === null || seen === null || mine.round === 0 || moved(mine, seen)) return refresh()
    const newest = seen.changes ?? 0
    const since = Math.max(known, mine.changes)
    if (newest > since) {
      const changes = toldBy(seen, since) ?? (await changesUpTo(newest))
      if (changes === null || isMine(mine, changes)) return refresh()
      known = newest
    }
    readAt.value = Date.now()
  }

  const feed = new PulseFeed({
    event,
    interval: (latest) => {
      if (latest?.phase === 'ended') return PULSE_INTERVALS.phone
      if (Date.now() - publishedAt < SOON) return PULSE_INTERVALS.phoneSoon
      if (eager.now()) return PULSE_INTERVALS.phoneNear
      return ranks.shown ? PULSE_INTERVALS.phoneRanks : PULSE_INTERVALS.phone
    },
    onPulse: follow,
    onLook: (reached) => {
      // A look fails before the first pulse is written, too; the own data then tells whether there is a network.
      if (reached) {
        unreachable.value = false
        // While it moved, a question was under way or there was too much of it: what is still not known is asked now.
        if (wanted || (quiet && me.value && (pulse.value?.changes ?? 0) > Math.max(known, me.value.changes))) void check()
        wanted = false
        quiet = true
      } else if (identity.value === 'known') void refresh()
    },
  })

  function follow(next: Pulse): void {
    const before = pulse.value
    pulse.value = next
    quiet = false
    if (before && before.round !== next.round) publishedAt = Date.now()
    const mine = me.value
    const age = Date.now() - readAt.value
    const ranked = next.phase === 'settled' && before !== null && before.standings !== next.standings
    if (mine ? moved(mine, next) || (ranked && age > AFTER_STANDINGS) : before && before.phase !== next.phase) void refresh()
    else if (mine && (toldBy(next, Math.max(known, mine.changes)) || age > AFTER_CHANGES)) void check()
  }

  // The feed looks by itself when the page comes to the front; this listener is there before its own.
  const visible = (): void => {
    wanted ||= !document.hidden
  }
  document.addEventListener('visibilitychange', visible)
  addEventListener('online', refresh)
  const stop = feed.start()
  void refresh()
  if (kept === null) void readPublic()
  onScopeDispose(() => {
    stop()
    document.removeEventListener('visibilitychange', visible)
    removeEventListener('online', refresh)
  })

  return {
    event,
    me,
    readAt,
    publicEvent,
    identity,
    failure,
    pulse,
    unreachable,
    eager,
    ranks,
    search: async (text) => (await api.post('/api/events/{event_id}/searches', { path, body: { text } })).candidates,
    identify: async (candidate, text, elsewhere) => {
      const body = { number: candidate.number, player: candidate.player, text, device: describeDevice() }
      const chosen = candidate.event_id
      const next = await api.post('/api/events/{event_id}/devices', { path: { event_id: chosen }, body })
      rememberElsewhere(chosen, elsewhere)
      if (chosen === event) {
        learn(next)
        void feed.look()
        return
      }
      // The code serves a set of events; from now on it leads this phone to the chosen one.
      rememberMe(chosen, next, Date.now())
      rememberChoice(event, chosen)
      location.assign(playAddress(chosen))
    },
    refresh,
    learn,
    forget: async () => {
      forgetReads()
      rememberCsrfToken(null)
      lose()
      await readPublic()
    },
    lookNow: () => {
      wanted = true
      void feed.look()
    },
  }
}
