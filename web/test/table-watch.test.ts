import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { effectScope, nextTick, ref } from 'vue'
import { usePolled } from '../src/console/kit/use-polled'
import { isMine, moved, toldBy } from '../src/play/news'
import type { Me } from '../src/play/remembered'
import { fullLookAfter, newsFor, readChanges, withChanges, type Grid } from '../src/shared/officials/table-watch'
import { WATCHED, watchInterval, type Pulse } from '../src/shared/pulse'
import { scoringRules, tableOf } from './tables'

const clock = { starts_at: null, ends_at: null, paused_left: null, stop_drawing_minutes: 5, state: 'running', version: 3 } as const
const grid = (changes: Partial<Grid> = {}): Grid => ({
  scoring: scoringRules(),
  round: 2,
  rounds: 4,
  phase: 'playing',
  name: '周三夜赛',
  clock,
  counts: {},
  tables: [tableOf({ table: 1 }), tableOf({ table: 2 }), tableOf({ table: 3 })],
  byes: [],
  sit_outs: [],
  calls: [],
  outdated_by: [],
  changes: 7,
  ...changes,
})
const pulse = (changes: Partial<Pulse> = {}): Pulse => ({
  v: 40,
  event: 'e1',
  phase: 'playing',
  round: 2,
  rounds: 4,
  clock,
  standings: null,
  pairings: null,
  display: { view: 'clock', page: null, paused: false },
  changes: 7,
  calls: 1,
  name: null,
  ...changes,
})

describe('what officials ask after a look at the pulse', () => {
  it.each([
    ['nothing moved', {}, 1, 'nothing'],
    ['a table changed', { changes: 8 }, 1, 'changes'],
    ['somebody called', { calls: 2 }, 1, 'changes'],
    ['the clock was paused', { clock: { ...clock, version: 4 } }, 1, 'changes'],
    ['a new round', { round: 3, clock: { ...clock, version: 4 } }, 1, 'all'],
    ['the round was settled', { phase: 'settled' }, 1, 'all'],
    ['the event has ended', { phase: 'ended' }, 1, 'nothing'],
    ['a cached pulse of before', { round: 1, phase: 'settled', changes: 2, clock: { ...clock, version: 2 } }, 1, 'nothing'],
    ['only projections were told something', { v: 41, standings: '9-x' }, 1, 'nothing'],
  ] as [string, Partial<Pulse>, number, string][])('%s', (_what, changes, calls, expected) => {
    expect(newsFor(grid(), pulse(changes), calls)).toBe(expected)
  })

  it('of an earlier round only the queue of calls is news', () => {
    expect(newsFor(grid({ round: 1 }), pulse({ changes: 9 }), 1, true)).toBe('nothing')
    expect(newsFor(grid({ round: 1 }), pulse({ calls: 2 }), 1, true)).toBe('changes')
  })

  it('before the first round nothing is asked', () => {
    const none = grid({ round: 0, phase: 'draft', clock: { ...clock, version: 0 } })
    expect(newsFor(none, pulse({ round: 0, phase: 'draft', clock: { ...clock, version: 0 } }), null)).toBe('nothing')
    expect(newsFor(none, pulse({ round: 1, phase: 'published' }), null)).toBe('all')
  })

  it('puts the changed tables in their places, or takes all of them', () => {
    const changed = { round: 2, phase: 'playing', clock, changes: 9, whole: false, calls: [], outdated_by: [4], tables: [tableOf({ table: 2, version: 5 })] }
    const next = withChanges(grid(), changed)
    expect(next.tables.map((table) => [table.table, table.version])).toEqual([[1, 1], [2, 5], [3, 1]])
    expect([next.changes, next.outdated_by, next.name]).toEqual([9, [4], '周三夜赛'])
    expect(withChanges(grid(), { ...changed, whole: true }).tables).toHaveLength(1)
  })

  it('reads everything when the round was settled meanwhile', async () => {
    const urls: string[] = []
    const answer = { round: 2, phase: 'settled', clock, changes: 9, whole: false, calls: [], outdated_by: [], tables: [] }
    vi.stubGlobal('fetch', (url: string) => {
      urls.push(url)
      return Promise.resolve(new Response(JSON.stringify(urls.length === 1 ? answer : grid({ phase: 'settled' }))))
    })
    expect((await readChanges('e1', grid())).phase).toBe('settled')
    expect(urls).toEqual(['/api/events/e1/rounds/2/changed-tables?since=7', '/api/events/e1/rounds/2/tables'])
    vi.unstubAllGlobals()
  })

  it('looks closely while something happens, less often where it is quiet, and at everything now and then', () => {
    const between = [0, 30_000, 60_000, 600_000].map((since) => watchInterval('settled', since))
    expect(between).toEqual([1500, 1500, 3000, 4000])
    expect(watchInterval(undefined, 600_000, WATCHED.screen)).toBe(3000)
    expect([4, 2500].map(fullLookAfter)).toEqual([60_000, 200_000])
  })

  it('sees a score within three seconds however quiet the round has been', () => {
    const kept = 1000 // by the edge
    for (const phase of ['published', 'playing'] as const) {
      const longest = watchInterval(phase, 3_600_000) * (1 + WATCHED.spread)
      expect(longest + kept).toBeLessThan(3000)
    }
  })
})

describe('a stirred question', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('is asked at once with what is known, and the next whole one comes in its own time', async () => {
    const scope = effectScope()
    const stir = ref(0)
    const asked: (number | null)[] = []
    let answers = 0
    scope.run(() =>
      usePolled<number>(
        (known) => {
          asked.push(known)
          answers += 1
          return Promise.resolve(answers)
        },
        { interval: 60_000, stir: () => stir.value, gap: 500 },
      ),
    )
    await vi.advanceTimersByTimeAsync(1000)
    expect(asked).toEqual([null])
    stir.value += 1
    await nextTick()
    await vi.advanceTimersByTimeAsync(0)
    stir.value += 1
    await nextTick()
    await vi.advanceTimersByTimeAsync(499)
    expect(asked).toEqual([null, 1])
    await vi.advanceTimersByTimeAsync(1)
    expect(asked).toEqual([null, 1, 2])
    await vi.advanceTimersByTimeAsync(58_000)
    expect(asked).toEqual([null, 1, 2])
    await vi.advanceTimersByTimeAsync(2000)
    expect(asked).toEqual([null, 1, 2, null])
    scope.stop()
  })

  it('is asked again if something stirred while it was under way', async () => {
    const scope = effectScope()
    const stir = ref(0)
    const open: ((value: number) => void)[] = []
    const polled = scope.run(() =>
      usePolled<number>(() => new Promise((resolve) => open.push(resolve)), { interval: 60_000, stir: () => stir.value }),
    )
    stir.value += 1
    await nextTick()
    expect(open).toHaveLength(1)
    open[0]?.(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(open).toHaveLength(2)
    open[1]?.(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(polled?.data.value).toBe(2)
    scope.stop()
  })
})

describe('what concerns a phone', () => {
  const me = { round: 2, round_phase: 'playing', phase: 'open', clock, changes: 7, tables: [tableOf({ table: 2 }), tableOf({ table: 50_002 })] } as unknown as Me

  it.each([
    [{}, false],
    [{ changes: 9, standings: '9-x' }, false],
    [{ phase: 'settled' }, true],
    [{ round: 3, phase: 'published' }, true],
    [{ clock: { ...clock, version: 4 } }, true],
    [{ phase: 'ended' }, true],
    [{ round: 1, phase: 'settled', clock: { ...clock, version: 2 } }, false],
  ] as [Partial<Pulse>, boolean][])('is round, phase and clock: %o', (changes, expected) => {
    expect(moved(me, pulse(changes))).toBe(expected)
  })

  it.each([
    [{ all: 0, tables: { 1: 9 } }, false],
    [{ all: 0, tables: { 2: 7 } }, false],
    [{ all: 0, tables: { 2: 8 } }, true],
    [{ all: 0, tables: { 50_002: 8 } }, true],
    [{ all: 8, tables: {} }, true],
  ])('is its own table and what shows on every phone: %o', (changes, expected) => {
    expect(isMine(me, changes)).toBe(expected)
  })

  it('stands in the pulse itself while not too many tables change', () => {
    const recent = { from: 5, all: 0, tables: { 1: 8 } }
    expect(toldBy(pulse({ recent }), 5)).toBe(recent)
    expect(toldBy(pulse({ recent }), 4)).toBeNull()
    expect(toldBy(pulse({ recent: null }), 9)).toBeNull()
    expect(toldBy(pulse(), 9)).toBeNull()
  })
})
