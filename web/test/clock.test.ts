import { describe, expect, it, vi } from 'vitest'
import { bestOffset, clockOfView, clockText, inServerTime, readClock, ServerTime } from '../src/shared/clock'
import type { RoundClock } from '../src/shared/pulse'

const running: RoundClock = {
  starts_at: 60_000,
  ends_at: 60_000 + 50 * 60_000,
  paused_left: null,
  stop_drawing_minutes: 5,
  state: 'running',
}
const END = running.ends_at ?? 0

describe('reading the round clock', () => {
  it.each([
    [0, 'countdown', 60],
    [59_999, 'countdown', 1],
    [60_000, 'running', 3000],
    [60_001, 'running', 3000],
    [END - 300_001, 'running', 301],
    [END - 300_000, 'stop_drawing', 300],
    [END - 1, 'stop_drawing', 1],
    [END, 'over', 0],
    [END + 61_500, 'over', 61],
  ])('at %d shows %s %d', (now, phase, seconds) => {
    expect(readClock(running, now)).toEqual({ phase, seconds })
  })

  it('goes from countdown to running by itself, without a new pulse', () => {
    const countdown: RoundClock = { ...running, state: 'countdown' }
    expect(readClock(countdown, 60_000).phase).toBe('running')
  })

  it('follows an extension: a later end leaves the stop-drawing phase again', () => {
    expect(readClock(running, END - 60_000).phase).toBe('stop_drawing')
    expect(readClock({ ...running, ends_at: END + 600_000 }, END - 60_000)).toEqual({ phase: 'running', seconds: 660 })
  })

  it('stands still while paused, and has no drawing limit when none is set', () => {
    const paused: RoundClock = { ...running, state: 'paused', paused_left: 753_001 }
    expect(readClock(paused, 0)).toEqual({ phase: 'paused', seconds: 754 })
    expect(readClock(paused, END + 1)).toEqual({ phase: 'paused', seconds: 754 })
    expect(readClock({ ...running, stop_drawing_minutes: 0 }, END - 1).phase).toBe('running')
  })

  it('shows the API’s clock like the pulse’s: milliseconds while paused, counting on after the end', () => {
    const view = { ...running, version: 3 }
    const paused = clockOfView({ ...view, state: 'paused', ends_at: null, paused_left: 90_000 })
    expect(readClock(paused, 0)).toEqual({ phase: 'paused', seconds: 90 })
    expect(readClock(clockOfView({ ...view, state: 'ended' }), END + 5000)).toEqual({ phase: 'over', seconds: 5 })
    expect(readClock(clockOfView({ ...view, state: 'ended', ends_at: null }), END)).toEqual({ phase: 'ended', seconds: 0 })
  })

  it('knows idle and ended', () => {
    expect(readClock({ ...running, state: 'idle', ends_at: null }, 0).phase).toBe('idle')
    expect(readClock({ ...running, state: 'ended' }, END - 1).phase).toBe('ended')
  })
})

it('writes minutes, and hours only when there are some', () => {
  expect([0, 75, 3599, 3600, 36_075].map(clockText)).toEqual(['00:00', '01:15', '59:59', '1:00:00', '10:01:15'])
})

describe('the server’s time', () => {
  it('trusts the sample with the shortest way', () => {
    const slow = { asked: 0, answered: 4000, server: 12_000 }
    const quick = { asked: 5000, answered: 5100, server: 15_050 }
    expect(bestOffset([slow, quick])).toBe(10_000)
    expect(bestOffset([])).toBe(0)
  })

  it('asks once where the way is short, and five times where it is not', async () => {
    let asked = 0
    const time = new ServerTime(() => Promise.resolve(Date.now() + 1000 * ++asked))
    await time.measure()
    expect(asked).toBe(1)
    vi.useFakeTimers()
    const slow = new ServerTime(async () => {
      asked += 1
      await vi.advanceTimersByTimeAsync(500)
      return Date.now()
    })
    await slow.measure()
    vi.useRealTimers()
    expect(asked).toBe(6)
  })

  it('tells a moment of a clock that is two hours fast by the server', async () => {
    const time = new ServerTime(() => Promise.resolve(Date.now() - 7_200_000))
    await time.measure()
    expect(Math.round((inServerTime(time, Date.now()) - Date.now()) / 60_000)).toBe(-120)
  })

  it('keeps its last offset when a later measurement fails', async () => {
    let reachable = true
    const ask = (): Promise<number> =>
      reachable ? Promise.resolve(Date.now() + 3_600_000) : Promise.reject(new TypeError('offline'))
    const time = new ServerTime(ask)
    await time.measure()
    reachable = false
    await expect(time.measure()).rejects.toThrow()
    expect(Math.round((time.now() - Date.now()) / 60_000)).toBe(60)
  })
})
