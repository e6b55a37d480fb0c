import { effectScope } from 'vue'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useVisit, type Visit } from '../src/play/use-visit'

interface Answer {
  changes: number
  round: number
}
type Recent = { from: number; all: number; tables: Record<string, number> }

const clock = { state: 'running', starts_at: 0, ends_at: 9e12, paused_left: null, stop_drawing_minutes: 0, version: 1 }
const table = { table: 7, round: 1 }
const meOf = ({ changes, round }: Answer): unknown => ({
  event_id: 'e1',
  round,
  round_phase: 'playing',
  phase: 'open',
  clock,
  table,
  tables: [table],
  changes,
  csrf: 'c',
})

/** A phone that knows everything up to change 10, and what the server says meanwhile. */
class Server {
  v = 1
  changes = 10
  recent: Recent = { from: 0, all: 0, tables: {} }
  asked = 0
  files = 0
  /** The answer of the next question is held back until this is called. */
  private held: (() => void) | null = null
  private holding = false

  hold(): void {
    this.holding = true
  }

  release(): void {
    this.held?.()
    this.held = null
  }

  tell(changes: number, recent: Recent): void {
    this.v += 1
    this.changes = changes
    this.recent = recent
  }

  readonly fetch = async (address: string | URL | Request): Promise<Response> => {
    const path = String(address)
    const json = (body: unknown): Response => new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })
    if (path.includes('/pulse.json')) {
      const pulse = { v: this.v, event: 'e1', phase: 'playing', round: 1, rounds: 3, clock, changes: this.changes, recent: this.recent }
      return json({ ...pulse, standings: null, pairings: null, display: { view: 'clock', page: null, paused: false }, name: '' })
    }
    if (path.includes('/changes/')) {
      this.files += 1
      return json({ n: this.changes, round: 1, all: 0, tables: { 7: this.changes } })
    }
    this.asked += 1
    const answer = meOf({ changes: this.changes, round: 1 })
    if (this.holding) {
      this.holding = false
      await new Promise<void>((resolve) => {
        this.held = resolve
      })
    }
    return json(answer)
  }
}

describe('a phone that lies on the table', () => {
  let scope = effectScope()
  let server: Server
  let visit: Visit
  const pass = (seconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(seconds * 1000)

  beforeEach(async () => {
    vi.useFakeTimers()
    scope = effectScope()
    server = new Server()
    vi.stubGlobal('fetch', server.fetch)
    visit = scope.run(() => useVisit('e1')) as Visit
    await pass(1)
    expect(visit.me.value?.changes).toBe(10)
  })
  afterEach(() => {
    scope.stop()
    vi.useRealTimers()
    vi.unstubAllGlobals()
    localStorage.clear()
  })

  it('learns of a change that the pulse told while an older question was still under way', async () => {
    server.hold()
    void visit.refresh()
    await pass(0)
    server.tell(11, { from: 0, all: 0, tables: { 7: 11 } })
    visit.lookNow()
    await pass(1)
    server.release()
    await pass(1)
    expect(visit.me.value?.changes).toBe(10)
    // Nothing moves the pulse any more.
    await pass(60)
    expect(visit.me.value?.changes).toBe(11)
  })

  it('learns of the last of so many changes that the pulse had no room for them', async () => {
    await pass(40)
    void visit.refresh() // so it has just looked, and does not fetch the file at once
    await pass(0)
    server.tell(99, { from: 50, all: 0, tables: {} })
    await pass(80)
    expect(visit.me.value?.changes).toBe(99)
    expect(server.files).toBeGreaterThan(0)
  })

  it('asks nothing while the pulse says nothing new of its table', async () => {
    const before = server.asked
    server.tell(12, { from: 0, all: 0, tables: { 3: 12 } })
    await pass(300)
    expect(server.asked).toBe(before)
    expect(server.files).toBe(0)
  })
})
