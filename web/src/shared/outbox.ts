import { writeHeaders } from './api'
import { randomId } from './identifiers'
import { DeviceStore, type OutboxItem, type OutboxStore } from './outbox-store'
import { ApiError, isTemporary, networkError, problemOf } from './problem'

export type { OutboxItem } from './outbox-store'

const REQUEST_TIMEOUT = 12_000
const LONGEST_WAIT = 60_000
/** Finished items stay as a receipt for a day. */
const RECEIPT_LIFE = 24 * 3600_000
/** Changed on every write, so that other tabs hear a `storage` event. */
const SIGNAL = 'guanjun:outbox-changed'

export interface OutboxParts {
  store: OutboxStore
  fetch: (url: string, init: RequestInit) => Promise<Response>
  now: () => number
  random: () => number
}

const REAL_PARTS = (): OutboxParts => ({
  store: new DeviceStore(),
  fetch: (url, init) => fetch(url, init),
  now: () => Date.now(),
  random: () => Math.random(),
})

/**
 * Keeps what a person entered on the device until the server has it, whatever the network does.
 *
 * - Stored before anything is said; sent strictly in order (a correction must not overtake what it corrects).
 * - Every attempt carries the item's own key, so the server applies it once.
 * - No answer, 408, 425, 429, 5xx: tried again later, `Retry-After` respected. 401 or an old CSRF token: held until
 *   the page has renewed its session. Any other 4xx is final and kept with the server's words.
 */
export class Outbox {
  /** True after a 401 or an old CSRF token: nothing is sent until `flush(true)`, to be called with a new session. */
  held = false
  private readonly parts: OutboxParts
  private readonly listeners = new Set<(items: OutboxItem[]) => void>()
  private latest = 0
  private sending = false
  private underWay: string | null = null
  private askedAgain: 'no' | 'yes' | 'forced' = 'no'
  private timer: ReturnType<typeof setTimeout> | undefined
  private stopped = false
  private readonly cleanUp: (() => void)[] = []

  constructor(parts: Partial<OutboxParts> = {}) {
    this.parts = { ...REAL_PARTS(), ...parts }
  }

  /** Begins to send and to watch the network, other tabs, and the page coming back. Returns the way to stop. */
  start(): () => void {
    const flush = (): void => void this.flush(true)
    const visible = (): void => {
      if (!document.hidden) flush()
    }
    const otherTab = (event: StorageEvent): void => {
      if (event.key === SIGNAL) void this.announce()
    }
    this.stopped = false
    addEventListener('online', flush)
    addEventListener('pageshow', flush)
    addEventListener('storage', otherTab)
    document.addEventListener('visibilitychange', visible)
    this.cleanUp.push(() => {
      removeEventListener('online', flush)
      removeEventListener('pageshow', flush)
      removeEventListener('storage', otherTab)
      document.removeEventListener('visibilitychange', visible)
    })
    flush()
    return () => this.stop()
  }

  /** Sends nothing further by itself; what is kept stays kept. */
  stop(): void {
    this.stopped = true
    clearTimeout(this.timer)
    this.cleanUp.splice(0).forEach((undo) => undo())
  }

  /** Calls back with all items now and after every change; returns the way to stop. */
  subscribe(listener: (items: OutboxItem[]) => void): () => void {
    this.listeners.add(listener)
    void this.parts.store.all().then(listener)
    return () => this.listeners.delete(listener)
  }

  items(): Promise<OutboxItem[]> {
    return this.parts.store.all()
  }

  /**
   * Keeps an intent and sends it as soon as possible. Resolves when it is stored on the device (the moment to say
   * 已保存在手机), rejects when the device refuses to store anything.
   */
  async enqueue(
    url: string,
    body: unknown,
    about: Record<string, unknown> = {},
    method: OutboxItem['method'] = 'POST',
  ): Promise<OutboxItem> {
    // Two taps in one millisecond, or a clock set back, must keep their order.
    this.latest = Math.max(this.parts.now(), this.latest + 1)
    const item: OutboxItem = {
      key: randomId(),
      method,
      url,
      body,
      about,
      createdAt: this.latest,
      tries: 0,
      notBefore: 0,
      serverAsks: 0,
      state: 'waiting',
      problem: null,
      reply: null,
      finishedAt: null,
    }
    await this.keep(item)
    await this.announce()
    void this.flush()
    return item
  }

  /** Takes an item away for good (a rejected one the person has read). */
  async discard(key: string): Promise<void> {
    await this.parts.store.remove(key)
    this.signal()
    await this.announce()
  }

  /** Sends what is due. `force` skips the backoff (network is back, person asks), never the server's own wish. */
  async flush(force = false): Promise<void> {
    if (this.sending) {
      // Something was queued while sending: without a second look it would wait for the next event.
      if (force || this.askedAgain === 'no') this.askedAgain = force ? 'forced' : 'yes'
      return
    }
    if (this.held && !force) return
    this.sending = true
    this.held = false
    clearTimeout(this.timer)
    let due: number | null = null
    try {
      due = await this.sendInOrder(force)
      await this.prune()
    } finally {
      this.sending = false
      // Always told, also when another tab did the work: else this one would show 待传 for ever.
      await this.announce()
    }
    const again = this.askedAgain
    this.askedAgain = 'no'
    if (again !== 'no') await this.flush(again === 'forced')
    else if (due !== null && !this.stopped) this.timer = setTimeout(() => void this.flush(), Math.max(250, due - this.parts.now()))
  }

  /** Sends waiting items oldest first, up to the first that must wait; gives the time it is due, or null. */
  private async sendInOrder(force: boolean): Promise<number | null> {
    const items = await this.parts.store.all()
    for (const item of items) {
      this.latest = Math.max(this.latest, item.createdAt)
      if (item.state !== 'waiting') continue
      const due = Math.max(item.serverAsks, force ? 0 : item.notBefore)
      if (due > this.parts.now()) return due
      const next = await this.attempt(item)
      if (next !== 'go on') return next
      await this.announce()
    }
    return null
  }

  /** Is an item on its way just now? It may arrive whatever is done here, so it must not be thrown away as unsent. */
  isUnderWay(key: string): boolean {
    return this.underWay === key
  }

  private async attempt(item: OutboxItem): Promise<'go on' | number | null> {
    this.underWay = item.key
    try {
      return await this.attemptIt(item)
    } finally {
      this.underWay = null
    }
  }

  private async attemptIt(item: OutboxItem): Promise<'go on' | number | null> {
    if (await this.finishedElsewhere(item)) return 'go on'
    const outcome = await this.send(item).catch(networkError)
    const now = this.parts.now()
    if (outcome instanceof ApiError && (isTemporary(outcome.status) || needsIdentity(outcome))) {
      if (await this.finishedElsewhere(item)) return 'go on'
      item.problem = described(outcome)
      item.tries += 1
      item.notBefore = now + this.backoff(item.tries)
      item.serverAsks = outcome.retryAfter === null ? 0 : now + outcome.retryAfter * 1000
      await this.keep(item)
      if (!needsIdentity(outcome)) return Math.max(item.notBefore, item.serverAsks)
      this.held = true
      return null
    }
    item.finishedAt = now
    if (outcome instanceof ApiError) {
      item.state = 'rejected'
      item.problem = described(outcome)
    } else {
      item.state = 'done'
      item.problem = null
      item.reply = outcome
    }
    await this.keep(item)
    return 'go on'
  }

  /** The reply's body, or the error the server answered with; rejects when no answer came. */
  private async send(item: OutboxItem): Promise<unknown> {
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(), REQUEST_TIMEOUT)
    try {
      const response = await this.parts.fetch(item.url, {
        method: item.method,
        headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...writeHeaders(item.key) },
        body: JSON.stringify(item.body),
        credentials: 'same-origin',
        signal: controller.signal,
      })
      if (!response.ok) return await problemOf(response)
      return await response.json().catch(() => null)
    } finally {
      clearTimeout(timer)
    }
  }

  private backoff(tries: number): number {
    return Math.min(LONGEST_WAIT, 1000 * 2 ** tries) * (0.5 + this.parts.random() / 2)
  }

  private async finishedElsewhere(item: OutboxItem): Promise<boolean> {
    const current = (await this.parts.store.all()).find((other) => other.key === item.key)
    return current === undefined || current.state !== 'waiting'
  }

  private async prune(): Promise<void> {
    const oldest = this.parts.now() - RECEIPT_LIFE
    for (const item of await this.parts.store.all()) {
      if (item.finishedAt !== null && item.finishedAt < oldest) await this.parts.store.remove(item.key)
    }
  }

  private async keep(item: OutboxItem): Promise<void> {
    await this.parts.store.put(item)
    this.signal()
  }

  private signal(): void {
    try {
      localStorage.setItem(SIGNAL, String(this.parts.random()))
    } catch {
      // storage full or refused: other tabs learn it on their next look
    }
  }

  private async announce(): Promise<void> {
    if (this.listeners.size === 0) return
    const items = await this.parts.store.all()
    this.listeners.forEach((listener) => listener(items))
  }
}

/** The session is gone, or its CSRF token is an old one: the entry is good, the sender must be renewed. */
function needsIdentity(error: ApiError): boolean {
  return error.status === 401 || error.code === 'csrf'
}

function described(error: ApiError): NonNullable<OutboxItem['problem']> {
  return {
    status: error.status,
    code: error.code,
    zh: error.messageZh,
    en: error.messageEn,
    document: JSON.parse(JSON.stringify(error.problem)) as Record<string, unknown>,
  }
}
