import { computed, onScopeDispose, ref, shallowRef, watch, type ComputedRef, type Ref, type ShallowRef } from 'vue'
import { api } from '../shared/api'
import { inServerTime, readClock, ServerTime, useNow, type ClockReading } from '../shared/clock'
import { enterByLink, tokenOfAddress } from '../shared/links'
import { type Display, type Pulse, PulseFeed, WATCHED, watchInterval } from '../shared/pulse'
import type { Bracket } from '../shared/matches/bracket'
import type { Calendar } from '../shared/matches/calendar'
import {
  bracketOf,
  calendarOf,
  type Charts,
  chartsOf,
  type ClubPage,
  clubsPage,
  type PairingsPage,
  type StandingsPage,
  standingsPage,
  wholePairings,
  wholeStandings,
} from '../shared/snapshots'
import { useSnapshot, type Kept } from './use-snapshot'
import { useRevealed, type Revealed } from './use-winners'

/** From this age on the footer says how old the data is. */
const STALE_AFTER = 15
/** What the organizer wrote about the event is read again now and then; it changes rarely. */
const ABOUT_AGAIN = 60_000
const LONGEST_PULSE_WAIT = 5000

export interface Projection {
  pulse: ShallowRef<Pulse | null>
  display: ComputedRef<Display>
  clock: ComputedRef<ClockReading>
  standings: Kept<StandingsPage>
  pairings: Kept<PairingsPage>
  /** The club ranking, with the standings of the same version, whose criteria name its values. */
  clubs: Kept<{ clubs: ClubPage; standings: StandingsPage }>
  bracket: Kept<Bracket>
  calendar: Kept<Calendar>
  charts: Kept<Charts>
  /** Winners revealed so far; null before the first answer. */
  revealed: ShallowRef<Revealed | null>
  rules: Ref<string>
  /** The event's; undefined before it is known. */
  timeZone: Ref<string | undefined>
  /** Looks at the pulse now, after a change made from here. */
  look: () => void
  /** What the server's clock said at a local moment, ms. */
  serverTime: (local: number) => number
  /** Seconds since the server was last reached when that is worth saying, else null. */
  staleSeconds: ComputedRef<number | null>
}

const NOTHING: Display = { view: 'clock', page: null, paused: false }

/** Between rounds there is no time to watch, however long the last round's clock has been over. */
const BETWEEN_ROUNDS: Pulse['phase'][] = ['draft', 'settled', 'ended']

/** What the hall's clock shows at `now` (server time, ms). */
export function hallClock(pulse: Pick<Pulse, 'phase' | 'clock'>, now: number): ClockReading {
  return BETWEEN_ROUNDS.includes(pulse.phase) ? { phase: 'ended', seconds: 0 } : readClock(pulse.clock, now)
}

/** All that a screen knows about its event, kept up to date; the last good state stays when the network drops. */
export function useProjection(event: string): Projection {
  const pulse = shallowRef<Pulse | null>(null)
  const reachedAt = ref(Date.now())
  const time = new ServerTime()
  const now = useNow(time)
  const localNow = ref(Date.now())
  const rules = ref('')
  const timeZone = ref<string>()
  let newsAt = Date.now()

  const feed = new PulseFeed({
    event,
    interval: (latest) => watchInterval(latest?.phase, Date.now() - newsAt, WATCHED.screen),
    jitter: WATCHED.spread,
    stopWhenHidden: false,
    longestWait: LONGEST_PULSE_WAIT,
    onPulse: (next) => {
      newsAt = Date.now()
      pulse.value = next
    },
    onLook: (reached) => {
      if (reached) reachedAt.value = Date.now()
    },
  })
  const stops = [feed.start(), time.start()]
  const ticking = setInterval(() => {
    localNow.value = Date.now()
  }, 1000)

  // All but the winners is public; the link only opens the door, so a failed exchange must not darken the hall.
  if (tokenOfAddress() !== null) enterByLink(event).catch(() => undefined)

  const display = computed(() => pulse.value?.display ?? NOTHING)
  const view = computed(() => display.value.view)

  async function readAbout(): Promise<void> {
    if (view.value !== 'rules' && view.value !== 'calendar') return
    await api.get('/api/events/{event_id}/public', { path: { event_id: event } }).then(
      (found) => {
        rules.value = found.rules_text
        timeZone.value = found.time_zone
      },
      () => undefined, // what is shown so far stays
    )
  }
  watch(view, () => void readAbout(), { immediate: true })
  const readingAbout = setInterval(() => void readAbout(), ABOUT_AGAIN)

  onScopeDispose(() => {
    stops.forEach((stop) => stop())
    clearInterval(ticking)
    clearInterval(readingAbout)
  })

  return {
    pulse,
    display,
    serverTime: (local) => {
      void now.value // measured anew
      return inServerTime(time, local)
    },
    clock: computed(() => (pulse.value ? hallClock(pulse.value, now.value) : { phase: 'idle', seconds: 0 })),
    standings: useSnapshot(
      computed(() => pulse.value?.standings ?? null),
      computed(() => view.value === 'standings'),
      (version) => wholeStandings(event, version),
    ),
    pairings: useSnapshot(
      computed(() => pulse.value?.pairings ?? null),
      computed(() => view.value === 'pairings' || view.value === 'names'),
      (version) => wholePairings(event, version),
    ),
    clubs: useSnapshot(
      computed(() => pulse.value?.standings ?? null),
      computed(() => view.value === 'clubs'),
      async (version) => [{ clubs: await clubsPage(event, version), standings: await standingsPage(event, version, 1) }],
    ),
    bracket: useSnapshot(
      computed(() => pulse.value?.bracket ?? null),
      computed(() => view.value === 'bracket'),
      async (version) => [await bracketOf(event, version)],
    ),
    calendar: useSnapshot(
      computed(() => pulse.value?.calendar ?? null),
      computed(() => view.value === 'calendar'),
      async (version) => [await calendarOf(event, version)],
    ),
    charts: useSnapshot(
      computed(() => pulse.value?.charts ?? null),
      computed(() => view.value === 'chart'),
      async (version) => [await chartsOf(event, version)],
    ),
    revealed: useRevealed(event, display),
    rules,
    timeZone,
    look: () => void feed.look(),
    staleSeconds: computed(() => {
      const age = Math.floor((localNow.value - reachedAt.value) / 1000)
      return age > STALE_AFTER ? age : null
    }),
  }
}
