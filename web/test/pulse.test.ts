import { describe, expect, it } from 'vitest'
import { publicFile, type Pulse, PulseFeed, type PulseOptions } from '../src/shared/pulse'

const pulse = (v: number): Pulse => ({
  v,
  event: 'e1',
  phase: 'playing',
  round: 1,
  rounds: 4,
  clock: { starts_at: null, ends_at: null, paused_left: null, stop_drawing_minutes: 5, state: 'idle' },
  standings: null,
  pairings: null,
  display: { view: 'clock', page: null, paused: false },
  name: null,
})

type Answer = number | 'lost' | 'broken'

function feed(answers: Answer[], options: Partial<PulseOptions> = {}, random = 0.5): { feed: PulseFeed; seen: number[]; urls: string[] } {
  const seen: number[] = []
  const urls: string[] = []
  const made = new PulseFeed(
    { event: 'e1', interval: () => 10_000, onPulse: (next) => seen.push(next.v), ...options },
    {
      random: () => random,
      now: () => 5000,
      fetch: (url) => {
        urls.push(url)
        const answer = answers.shift() ?? 'lost'
        if (answer === 'lost') return Promise.reject(new TypeError('offline'))
        if (answer === 'broken') return Promise.resolve(new Response('', { status: 500 }))
        return Promise.resolve(new Response(JSON.stringify(pulse(answer))))
      },
    },
  )
  return { feed: made, seen, urls }
}

describe('the pulse', () => {
  it('passes on each version once and never an older one', async () => {
    const { feed: pulses, seen, urls } = feed([3, 3, 2, 5])
    for (let n = 0; n < 4; n += 1) await pulses.look()
    expect(seen).toEqual([3, 5])
    expect(pulses.latest?.v).toBe(5)
    expect(urls[0]).toBe('/pub/e1/pulse.json')
  })

  it('keeps the last good one when the server cannot be reached', async () => {
    const looks: boolean[] = []
    const { feed: pulses, seen } = feed([3, 'lost', 'broken'], { onLook: (reached) => looks.push(reached) })
    for (let n = 0; n < 3; n += 1) await pulses.look()
    expect(seen).toEqual([3])
    expect(pulses.reachedAt).toBe(5000)
    expect(looks).toEqual([true, false, false])
  })

  it('waits longer after every failure, up to a limit, and recovers at once', async () => {
    const { feed: pulses } = feed([1, 'lost', 'lost', 'lost', 'lost', 2])
    const waits: number[] = []
    for (let n = 0; n < 6; n += 1) {
      await pulses.look()
      waits.push(pulses.nextWait())
    }
    expect(waits).toEqual([10_000, 20_000, 40_000, 60_000, 60_000, 10_000])
  })

  it('spreads the looks by the given share', () => {
    expect(feed([], {}, 0).feed.nextWait()).toBeCloseTo(7000)
    expect(feed([], {}, 1).feed.nextWait()).toBeCloseTo(13_000)
    expect(feed([], { jitter: 0 }, 1).feed.nextWait()).toBe(10_000)
  })

  it('stops while hidden and looks at once on return', async () => {
    let hidden = true
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
    const { feed: pulses, urls } = feed([1, 2], { interval: () => 1 })
    const stop = pulses.start()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(urls).toHaveLength(1)
    hidden = false
    document.dispatchEvent(new Event('visibilitychange'))
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(urls.length).toBeGreaterThan(1)
    stop()
  })

  it('uses the request begun in the head, and asks again when that one failed', async () => {
    const { feed: pulses, seen, urls } = feed([8])
    window.earlyRequests = { '/pub/e1/pulse.json': Promise.resolve(new Response(JSON.stringify(pulse(7)))) }
    await pulses.look()
    await pulses.look()
    expect(seen).toEqual([7, 8])
    expect(urls).toHaveLength(1)
  })
})

it('writes public addresses', () => {
  expect(publicFile('e/1', 'standings', '41-abcd', '2.json')).toBe('/pub/e%2F1/standings/41-abcd/2.json')
})
