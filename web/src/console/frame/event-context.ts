import { computed, inject, onScopeDispose, provide, type ComputedRef, type InjectionKey, type Ref } from 'vue'
import { api, type Schemas } from '../../shared/api'
import { clockOfView, readClock, ServerTime, useNow, type ClockReading } from '../../shared/clock'
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
  refresh: () => Promise<void>
  /** Takes the event as a reply brought it. */
  accept: (event: EventView) => void
}

const KEY: InjectionKey<EventContext> = Symbol('event')
const INTERVAL = 2000

/** Reads the event every two seconds and provides it to the pages inside; its data is null until the first answer. */
export function provideEvent(id: string): Polled<EventView> {
  const polled = usePolled(() => api.get('/api/events/{event_id}', { path: { event_id: id } }), { interval: INTERVAL })
  const time = new ServerTime()
  onScopeDispose(time.start())
  const now = useNow(time)
  const event = computed(() => {
    if (polled.data.value === null) throw new Error('pages of an event are shown once it is there')
    return polled.data.value
  })
  provide(KEY, {
    id,
    event,
    lastRound: computed(() => event.value.rounds[event.value.rounds.length - 1]),
    clock: computed(() => readClock(clockOfView(event.value.clock), now.value)),
    now,
    refresh: polled.refresh,
    accept: polled.accept,
  })
  return polled
}

export function useEvent(): EventContext {
  const context = inject(KEY)
  if (!context) throw new Error('useEvent() needs an event frame around it')
  return context
}
