/** Times are server milliseconds; `paused_left` is what remains while paused, in milliseconds, too. */
export interface RoundClock {
  starts_at: number | null
  ends_at: number | null
  paused_left: number | null
  stop_drawing_minutes: number
  state: 'idle' | 'countdown' | 'running' | 'paused' | 'ended'
}

export type DisplayView =
  | 'clock'
  | 'pairings'
  | 'names'
  | 'standings'
  | 'clubs'
  | 'winners'
  | 'rules'
  | 'qr'
  | 'picture'
  | 'chart'
  | 'bracket'
  | 'calendar'
  | 'blank'

/** What the console wants on the projection: a view, perhaps a page of it (from 1), and whether paging rests. */
export interface Display {
  view: DisplayView
  page: number | null
  paused: boolean
  /** Winners revealed so far, last place first. */
  step?: number
  /** The uploaded picture: a public file below the event. */
  picture?: string | null
}

/** With which change each table changed last; `all`: the last change that may show on every phone. */
export interface Changes {
  all: number
  tables: Record<string, number>
}

/** All changes after number `from`. */
export interface RecentChanges extends Changes {
  from: number
}

/** `/pub/{event}/pulse.json`: all that changes during an event, or the version of it. */
export interface Pulse {
  v: number
  event: string
  phase: 'draft' | 'published' | 'playing' | 'settled' | 'ended'
  round: number
  rounds: number
  /** With its version, which rises with every command to the clock. */
  clock: RoundClock & { version?: number }
  /** Version of the standings snapshot, null before there is one. */
  standings: string | null
  pairings: string | null
  /** Versions of what only some events have; null (or missing in an old pulse) before there is one. */
  bracket?: string | null
  calendar?: string | null
  charts?: string | null
  /** True while the public standings stand still (封榜). */
  frozen?: boolean
  /** The code (`qr/{code}`) of the platform's own page, null where it is not to be shown (去除广告). */
  advertisement?: string | null
  display: Display
  /** The newest file of changed tables (`changes/{n}.json`). */
  changes?: number
  /** What that file tells of the last of them; null (or missing in an old pulse) where nothing has been told. */
  recent?: RecentChanges | null
  /** Rises whenever somebody calls a referee, or is answered. */
  calls?: number
  /** Null when the event's names are private. */
  name: string | null
}

/** Milliseconds between two looks, by who looks and what happens (architecture: who polls). */
export const PULSE_INTERVALS = { phoneSoon: 10_000, phoneNear: 15_000, phoneRanks: 20_000, phone: 30_000 } as const

/** Milliseconds between the looks of officials and projections: close while a round is in play or the pulse moves, longer
 * where it is quiet. */
export const WATCHED = { often: 1500, seldom: 4000, screen: 3000, quietShare: 20, spread: 0.1 } as const

/** Milliseconds until the next such look, `sinceNews` after the pulse last said something new. A round in play is never
 * quiet: the first score after a quarter of an hour is to be seen as fast as the hundredth. */
export function watchInterval(
  phase: Pulse['phase'] | undefined,
  sinceNews: number,
  seldom: number = WATCHED.seldom,
): number {
  if (phase === 'published' || phase === 'playing') return WATCHED.often
  return Math.min(seldom, Math.max(WATCHED.often, sinceNews / WATCHED.quietShare))
}

const LONGEST_WAIT = 60_000
const REQUEST_TIMEOUT = 8000

export interface PulseParts {
  fetch: (url: string, init: RequestInit) => Promise<Response>
  now: () => number
  random: () => number
}

export interface PulseOptions {
  event: string
  /** Milliseconds until the next look; asked anew each time, since it depends on the phase. */
  interval: (latest: Pulse | null) => number
  /** Share of the interval by which it is spread, 0..1: thousands of phones must not ask in step. */
  jitter?: number
  /** Phones stop while hidden; a projection in a background window goes on. */
  stopWhenHidden?: boolean
  /** Longest wait after failures, ms. */
  longestWait?: number
  onPulse?: (pulse: Pulse) => void
  /** After every look, whether it succeeded. */
  onLook?: (reached: boolean) => void
}

/** The address of a public file of an event. */
export function publicFile(event: string, ...parts: (string | number)[]): string {
  return `/pub/${[event, ...parts].map((part) => encodeURIComponent(String(part))).join('/')}`
}

/**
 * Looks at an event's pulse again and again: spread in time, slower after failures, not at all while hidden.
 * An older version (another edge, a late reply) is never passed on.
 */
export class PulseFeed {
  latest: Pulse | null = null
  /** Local ms of the last look that reached the server, null before the first. */
  reachedAt: number | null = null
  private readonly parts: PulseParts
  private failures = 0
  private running = false
  private looking = false
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(
    private readonly options: PulseOptions,
    parts: Partial<PulseParts> = {},
  ) {
    this.parts = {
      fetch: (url, init) => fetch(url, init),
      now: () => Date.now(),
      random: () => Math.random(),
      ...parts,
    }
  }

  start(): () => void {
    const visible = (): void => {
      if (!document.hidden) void this.look()
      else if (this.stopsWhenHidden) clearTimeout(this.timer)
    }
    const online = (): void => void this.look()
    this.running = true
    document.addEventListener('visibilitychange', visible)
    addEventListener('online', online)
    void this.look()
    return () => {
      this.running = false
      clearTimeout(this.timer)
      document.removeEventListener('visibilitychange', visible)
      removeEventListener('online', online)
    }
  }

  /** Looks now (after an own change, or when the page comes back) and plans the next look. */
  async look(): Promise<void> {
    if (this.looking) return
    this.looking = true
    clearTimeout(this.timer)
    try {
      this.accept(await this.ask())
      this.failures = 0
      this.reachedAt = this.parts.now()
      this.options.onLook?.(true)
    } catch {
      this.failures += 1
      this.options.onLook?.(false)
    } finally {
      this.looking = false
      this.plan()
    }
  }

  /** Milliseconds until the next look. */
  nextWait(): number {
    const base = this.options.interval(this.latest)
    const slowed = Math.min(this.options.longestWait ?? LONGEST_WAIT, base * 2 ** this.failures)
    const spread = this.options.jitter ?? 0.3
    return Math.max(base, slowed) * (1 - spread + 2 * spread * this.parts.random())
  }

  private get stopsWhenHidden(): boolean {
    return this.options.stopWhenHidden ?? true
  }

  private plan(): void {
    if (!this.running || (document.hidden && this.stopsWhenHidden)) return
    this.timer = setTimeout(() => void this.look(), this.nextWait())
  }

  private accept(pulse: Pulse): void {
    if (this.latest !== null && pulse.v < this.latest.v) return
    const changed = this.latest === null || pulse.v > this.latest.v
    this.latest = pulse
    if (changed) this.options.onPulse?.(pulse)
  }

  private async ask(): Promise<Pulse> {
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(), REQUEST_TIMEOUT)
    try {
      const url = publicFile(this.options.event, 'pulse.json')
      const early = window.earlyRequests?.[url]
      delete window.earlyRequests?.[url]
      const response = await (early ?? this.parts.fetch(url, { signal: controller.signal }))
      if (!response.ok) throw new Error(`pulse: HTTP ${response.status}`)
      return (await response.json()) as Pulse
    } finally {
      clearTimeout(timer)
    }
  }
}
