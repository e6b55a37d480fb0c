import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Outbox, type OutboxItem } from '../src/shared/outbox'
import { DeviceStore } from '../src/shared/outbox-store'
import { rememberCsrfToken } from '../src/shared/session'

/** A server in a test: remembers what arrived and answers what the test tells it. */
class Server {
  arrived: { key: string; body: unknown; headers: Headers }[] = []
  answers: ((body: unknown) => Promise<Response>)[] = []

  fetch = async (_url: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers)
    const body: unknown = JSON.parse(String(init.body))
    this.arrived.push({ key: headers.get('Idempotency-Key') ?? '', body, headers })
    const answer = this.answers.shift()
    return answer ? answer(body) : json(200, { ok: body })
  }

  get bodies(): unknown[] {
    return this.arrived.map((request) => request.body)
  }
}

function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } })
}

const lost = (): Promise<Response> => Promise.reject(new TypeError('connection lost'))

let server: Server
let now: number
const running: Outbox[] = []

function device(store = new DeviceStore()): Outbox {
  const outbox = new Outbox({ store, fetch: server.fetch, now: () => now, random: () => 0.5 })
  running.push(outbox)
  return outbox
}

/** Lets everything already begun come to rest. */
async function settle(outbox: Outbox, until: (items: OutboxItem[]) => boolean): Promise<OutboxItem[]> {
  for (let turn = 0; turn < 200; turn += 1) {
    const items = await outbox.items()
    if (until(items)) return items
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  throw new Error(`never came to rest: ${JSON.stringify(await outbox.items())}`)
}

const allDone = (items: OutboxItem[]): boolean => items.every((item) => item.state === 'done')

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory()
  localStorage.clear()
  rememberCsrfToken(null)
  server = new Server()
  now = 1_000_000
})

afterEach(() => {
  running.splice(0).forEach((outbox) => outbox.stop())
})

describe('sending', () => {
  it('sends what was entered, with its key and the CSRF token, and keeps the reply as a receipt', async () => {
    rememberCsrfToken('token-1')
    const outbox = device()
    const item = await outbox.enqueue('/api/x', { score: 1 })
    const [kept] = await settle(outbox, allDone)
    expect(server.arrived[0]?.key).toBe(item.key)
    expect(server.arrived[0]?.headers.get('X-CSRF-Token')).toBe('token-1')
    expect(kept?.reply).toEqual({ ok: { score: 1 } })
  })

  it('keeps the order of two entries made in the same millisecond, and after the clock was set back', async () => {
    const outbox = device()
    server.answers = [lost]
    const first = await outbox.enqueue('/api/x', 1)
    const second = await outbox.enqueue('/api/x', 2)
    now -= 60_000
    const third = await outbox.enqueue('/api/x', 3)
    expect(second.createdAt).toBeGreaterThan(first.createdAt)
    expect(third.createdAt).toBeGreaterThan(second.createdAt)
    await settle(outbox, (items) => items[0]?.tries === 1)
    await outbox.flush(true)
    await settle(outbox, allDone)
    expect(server.bodies).toEqual([1, 1, 2, 3])
  })

  it('sends what was queued while something else was on its way', async () => {
    const outbox = device()
    let answerFirst: (response: Response) => void = () => undefined
    server.answers = [() => new Promise((resolve) => (answerFirst = resolve))]
    await outbox.enqueue('/api/x', 1)
    await settle(outbox, () => server.arrived.length === 1)
    await outbox.enqueue('/api/x', 2)
    answerFirst(json(200, {}))
    await settle(outbox, allDone)
    expect(server.bodies).toEqual([1, 2])
  })

  it('never lets a correction overtake a score that failed', async () => {
    const outbox = device()
    server.answers = [() => Promise.resolve(json(503, {}))]
    await outbox.enqueue('/api/x', 'score')
    await settle(outbox, (items) => items[0]?.tries === 1)
    await outbox.enqueue('/api/x', 'correction')
    await outbox.flush()
    expect(server.bodies).toEqual(['score'])
    server.answers = [lost]
    await outbox.flush(true)
    await settle(outbox, (items) => items[0]?.tries === 2)
    expect(server.bodies).toEqual(['score', 'score'])
    await outbox.flush(true)
    await settle(outbox, allDone)
    expect(server.bodies).toEqual(['score', 'score', 'score', 'correction'])
    expect(server.arrived[0]?.key).toBe(server.arrived[1]?.key)
  })

  it('tells a tab that was idle when another tab got the item through', async () => {
    const idle = device()
    const seen: OutboxItem[][] = []
    idle.subscribe((items) => seen.push(items))
    const active = device()
    const item = await active.enqueue('/api/x', 1)
    await settle(active, allDone)
    await idle.flush()
    const last = seen[seen.length - 1]
    expect(last?.find((other) => other.key === item.key)?.state).toBe('done')
    expect(server.arrived).toHaveLength(1)
  })

  it('does not turn an item back to waiting that another tab delivered while this one failed', async () => {
    const first = device()
    const second = device()
    let failFirst: (reason: Error) => void = () => undefined
    server.answers = [() => new Promise((_resolve, reject) => (failFirst = reject))]
    await first.enqueue('/api/x', 1)
    await settle(first, () => server.arrived.length === 1)
    await second.flush(true)
    failFirst(new TypeError('connection lost'))
    const items = await settle(first, allDone)
    await first.flush(true)
    expect(items).toHaveLength(1)
    expect(server.arrived).toHaveLength(2)
  })
})

describe('answers', () => {
  it('waits as long as the server asks, even when the person presses again', async () => {
    const outbox = device()
    server.answers = [() => Promise.resolve(json(429, { code: 'too_many' }, { 'Retry-After': '90' }))]
    await outbox.enqueue('/api/x', 1)
    await settle(outbox, (items) => items[0]?.tries === 1)
    now += 89_000
    await outbox.flush(true)
    expect(server.arrived).toHaveLength(1)
    now += 1001
    await outbox.flush(true)
    await settle(outbox, allDone)
    expect(server.arrived).toHaveLength(2)
  })

  it('waits longer after every failure, up to a minute', async () => {
    const outbox = device()
    server.answers = Array.from({ length: 9 }, () => lost)
    await outbox.enqueue('/api/x', 1)
    const waits: number[] = []
    for (let tries = 1; tries <= 9; tries += 1) {
      const [item] = await settle(outbox, (items) => items[0]?.tries === tries)
      waits.push((item?.notBefore ?? 0) - now)
      if (tries < 9) await outbox.flush(true)
    }
    expect(waits).toEqual([1500, 3000, 6000, 12_000, 24_000, 45_000, 45_000, 45_000, 45_000])
  })

  it('keeps a refused item with the server’s words and goes on with the next', async () => {
    const outbox = device()
    const problem = { code: 'round_closed', detail_zh: '本轮已结算', detail_en: 'Round settled', current: { v: 2 } }
    server.answers = [() => Promise.resolve(json(409, problem))]
    await outbox.enqueue('/api/x', 1)
    await outbox.enqueue('/api/x', 2)
    const [refused, next] = await settle(outbox, (items) => items.every((item) => item.state !== 'waiting'))
    expect(refused).toMatchObject({ state: 'rejected', problem: { status: 409, code: 'round_closed', zh: '本轮已结算' } })
    expect(refused?.problem?.document.current).toEqual({ v: 2 })
    expect(next?.state).toBe('done')
    await outbox.discard(refused?.key ?? '')
    expect(await outbox.items()).toHaveLength(1)
  })

  it.each([
    [401, 'signed_out'],
    [403, 'csrf'],
  ])('holds everything after %d %s until the session is renewed', async (status, code) => {
    const outbox = device()
    server.answers = [() => Promise.resolve(json(status, { code }))]
    await outbox.enqueue('/api/x', 1)
    await settle(outbox, () => outbox.held)
    await outbox.enqueue('/api/x', 2)
    await outbox.flush()
    expect(server.arrived).toHaveLength(1)
    await outbox.flush(true)
    await settle(outbox, allDone)
    expect(server.bodies).toEqual([1, 1, 2])
  })
})

describe('storage', () => {
  it('keeps an unsent entry over a reload', async () => {
    server.answers = [lost]
    const before = device()
    const item = await before.enqueue('/api/x', 1)
    await settle(before, (items) => items[0]?.tries === 1)
    const after = device()
    const stop = after.start()
    await settle(after, allDone)
    stop()
    expect(server.arrived.map((request) => request.key)).toEqual([item.key, item.key])
  })

  it('falls back to localStorage when IndexedDB is refused, and leaves nothing double when it returns', async () => {
    const real = globalThis.indexedDB
    const refuse = { open: () => { throw new DOMException('refused', 'SecurityError') } }
    globalThis.indexedDB = refuse as unknown as IDBFactory
    server.answers = [lost]
    const refused = device()
    await refused.enqueue('/api/x', 1)
    await settle(refused, (items) => items[0]?.tries === 1)
    globalThis.indexedDB = real
    const allowed = device()
    await allowed.flush(true)
    const items = await settle(allowed, allDone)
    expect(items).toHaveLength(1)
    expect(Object.keys(localStorage).filter((key) => key.startsWith('guanjun:outbox:'))).toEqual([])
  })

  it('drops receipts after a day', async () => {
    const outbox = device()
    await outbox.enqueue('/api/x', 1)
    await settle(outbox, allDone)
    now += 24 * 3600_000 - 1
    await outbox.flush()
    expect(await outbox.items()).toHaveLength(1)
    now += 2
    await outbox.flush()
    // An earlier flush may still be at work; this one then follows it.
    expect(await settle(outbox, (items) => items.length === 0)).toEqual([])
  })
})
