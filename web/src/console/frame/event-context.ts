import { computed, inject, onScopeDispose, provide, ref, shallowRef, watch, type ComputedRef, type InjectionKey, type Ref, type ShallowRef } from 'vue'
import { api, type Schemas } from '../../shared/api'
import { clockOfView, readClock, ServerTime, useNow, type ClockReading } from '../../shared/clock'
import { PulseFeed, WATCHED, watchInterval, type Pulse } from '../../shared/pulse'
import { usePolled, type Polled } from '../kit/use-polled'

export type EventView = Schemas['EventView']

/** What every page of an event stands on. */
export interface EventContext {
  id: string
  event: ComputedRef<EventView>
  /** The round drawn last, whatever its phase; undefined before the first. */
  lastRound: ComputedRef<Schemas['RoundSummary'] | undefined>
  clock: ComputedRef<ClockReading>
  /** Server time, ms. */
  now: Ref<number>
  /** What anybody may see of the event; it says when there is something to ask. Null before there is one. */
  pulse: ShallowRef<Pulse | null>
  refresh: () => Promise<void>
  /** Takes the event as a reply brought it. */
  accept: (event: EventView) => void
}

const KEY: InjectionKey<EventContext> = Symbol('event')
/** Milliseconds between two looks at what the pulse does not tell: entries and check-ins, drafts, other organizers' settings. */
export const FRAME_LOOKS = { arriving: 4000, playing: 30_000 } as const
const SOON = 1000

/**
 * Reads the event when its pulse has moved, and now and then, and provides it to the pages inside; its data is null until
 * the first answer.
 */
export function provideEvent(id: string): Polled<EventView> {
  const pulse: ShallowRef<Pulse | null> = shallowRef(null)
  /** Of the round's clock: when time is up, the next step is another without anybody doing anything. */
  const phase = ref('')
  let newsAt = Date.now()
  const feed = new PulseFeed({
    event: id,
    interval: (latest) => watchInterval(latest?.phase, Date.now() - newsAt),
    jitter: WATCHED.spread,
    onPulse: (next) => {
      newsAt = Date.now()
      pulse.value = next
    },
  })
  onScopeDispose(feed.start())
  const polled: Polled<EventView> = usePolled(() => api.get('/api/events/{event_id}', { path: { event_id: id } }), {
    interval: () => ((polled.data.value?.last_round ?? 0) === 0 ? FRAME_LOOKS.arriving : FRAME_LOOKS.playing),
    stir: () => `${frameOf(pulse.value)} ${phase.value}`,
    gap: SOON,
  })
  const time = new ServerTime()
  onScopeDispose(time.start())
  const now = useNow(time)
  const event = computed(() => {
    if (polled.data.value === null) throw new Error('pages of an event are shown once it is there')
    return polled.data.value
  })
  watch(
    () => polled.data.value && readClock(clockOfView(polled.data.value.clock), now.value).phase,
    (next) => {
      phase.value = next ?? ''
    },
  )
  provide(KEY, {
    id,
    event,
    lastRound: computed(() => event.value.rounds[event.value.rounds.length - 1]),
    clock: computed(() => readClock(clockOfView(event.value.clock), now.value)),
    now,
    pulse,
    refresh: polled.refresh,
    accept: polled.accept,
  })
  return polled
}

/** What of a pulse shows in the frame: neither tables nor calls, nor which standings are the newest. */
function frameOf(pulse: Pulse | null): string {
  if (pulse === null) return ''
  return JSON.stringify({ ...pulse, v: 0, changes: 0, calls: 0, standings: null, standings_pages: 0, charts: null })
}

export function useEvent(): EventContext {
  const context = inject(KEY)
  if (!context) throw new Error('useEvent() needs an event frame around it')
  return context
}
