import { onScopeDispose, ref, type Ref } from 'vue'
import { api, type Schemas } from './api'
import type { RoundClock } from './pulse'

/**
 * What the round's clock shows at one moment.
 *
 * - `idle`: no clock set; `countdown`: `seconds` until the start; `running`: `seconds` left;
 * - `stop_drawing`: the last minutes, finish the board and draw no more (停止抓牌); `seconds` left;
 * - `over`: time is up, `seconds` since then; `paused`: `seconds` left when it stopped; `ended`: the round is over.
 */
export interface ClockReading {
  phase: 'idle' | 'countdown' | 'running' | 'stop_drawing' | 'over' | 'paused' | 'ended'
  seconds: number
}

/** Reads the clock at `now` (server time, ms). Pure: every screen that knows the same times shows the same. */
export function readClock(clock: RoundClock, now: number): ClockReading {
  if (clock.state === 'ended') return { phase: 'ended', seconds: 0 }
  if (clock.state === 'paused') return { phase: 'paused', seconds: Math.ceil((clock.paused_left ?? 0) / 1000) }
  if (clock.state === 'idle' || clock.ends_at === null) return { phase: 'idle', seconds: 0 }
  if (clock.starts_at !== null && now < clock.starts_at) {
    return { phase: 'countdown', seconds: Math.ceil((clock.starts_at - now) / 1000) }
  }
  const left = clock.ends_at - now
  if (left <= 0) return { phase: 'over', seconds: Math.floor((now - clock.ends_at) / 1000) }
  const phase = left <= clock.stop_drawing_minutes * 60_000 ? 'stop_drawing' : 'running'
  return { phase, seconds: Math.ceil(left / 1000) }
}

/**
 * The API's clock in the pulse's shape. The API says `ended` from the end time on; the pulse leaves that to its
 * readers, who count on beyond it, and every page must show the same.
 */
export function clockOfView(view: Schemas['ClockView']): RoundClock {
  return {
    starts_at: view.starts_at,
    ends_at: view.ends_at,
    paused_left: view.paused_left,
    stop_drawing_minutes: view.stop_drawing_minutes,
    state: view.state === 'ended' && view.ends_at !== null ? 'running' : (view.state as RoundClock['state']),
  }
}

/** `75` -> `01:15`, `3675` -> `1:01:15`. */
export function clockText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const two = (n: number): string => String(n).padStart(2, '0')
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${two(minutes)}:${two(whole % 60)}`
}

/** One question to the server's clock: local times of asking and of the answer, and the server's time between. */
export interface TimeSample {
  asked: number
  answered: number
  server: number
}

/** Server time minus local time, in ms, from the sample with the shortest round trip (error at most half of it). */
export function bestOffset(samples: TimeSample[]): number {
  const best = [...samples].sort((a, b) => a.answered - a.asked - (b.answered - b.asked))[0]
  return best ? best.server - (best.asked + best.answered) / 2 : 0
}

const SAMPLES = 5
/** A round trip that is good enough: the offset is then wrong by a tenth of a second at most. */
const SHORT_TRIP = 200
/** The local clock was set when it and the time since the page began differ by more. */
const JUMP = 500
const MEASURE_AGAIN = 120 * 60_000
const TRY_AGAIN = 15_000

async function serverTime(): Promise<number> {
  return (await api.get('/api/time', { timeout: 5000 })).now
}

/** The server's clock as seen from here. Measured at the start, every two hours, and when the page comes
 * back to a clock that was set meanwhile. */
export class ServerTime {
  private offset = 0
  private measuredAt = -Infinity
  private sinceBegin = 0
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly ask: () => Promise<number> = serverTime) {}

  /** Server time in ms; the local clock until the first measurement is in. */
  now(): number {
    return Date.now() + this.offset
  }

  async measure(): Promise<void> {
    const samples: TimeSample[] = []
    for (let n = 0; n < SAMPLES; n += 1) {
      const asked = Date.now()
      const server = await this.ask()
      const answered = Date.now()
      samples.push({ asked, server, answered })
      if (answered - asked <= SHORT_TRIP) break
    }
    this.offset = bestOffset(samples)
    this.measuredAt = Date.now()
    this.sinceBegin = performance.now()
  }

  /** Whether the last measurement is old, or the local clock was set since. */
  private get outdated(): boolean {
    const passed = Date.now() - this.measuredAt
    return passed > MEASURE_AGAIN || Math.abs(passed - (performance.now() - this.sinceBegin)) > JUMP
  }

  /** Keeps measuring until stopped; a failed measurement leaves the last offset and is repeated soon. */
  start(): () => void {
    const again = (wait: number): void => {
      clearTimeout(this.timer)
      this.timer = setTimeout(run, wait)
    }
    const run = (): void => {
      this.measure().then(
        () => again(MEASURE_AGAIN),
        () => again(TRY_AGAIN),
      )
    }
    const visible = (): void => {
      if (!document.hidden && this.outdated) run()
    }
    document.addEventListener('visibilitychange', visible)
    run()
    return () => {
      clearTimeout(this.timer)
      document.removeEventListener('visibilitychange', visible)
    }
  }
}

/** What the server's clock said at a local moment, ms: for times that stand beside the server's own. */
export function inServerTime(time: ServerTime, local: number): number {
  return local + time.now() - Date.now()
}

/** The moment, in server time, as reactive state; ticks four times a second so that no second is skipped. */
export function useNow(time: ServerTime): Ref<number> {
  const now = ref(time.now())
  const timer = setInterval(() => {
    now.value = time.now()
  }, 250)
  onScopeDispose(() => clearInterval(timer))
  return now
}
