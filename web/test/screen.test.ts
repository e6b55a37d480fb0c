import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { effectScope, nextTick, ref, type EffectScope } from 'vue'
import { CRITERION, layoutFor, roomFor } from '../src/screen/letters'
import { NOTHING as nothing, picturesOf, playersOf, seatsByName } from '../src/screen/pages'
import { usePaging } from '../src/screen/paging'
import { rulesPages } from '../src/screen/rules-text'
import { hanWidth, nameLines, wrap } from '../src/screen/text-width'
import { hallClock } from '../src/screen/use-projection'
import { useSnapshot } from '../src/screen/use-snapshot'
import type { Display } from '../src/shared/pulse'
import type { PairingsPage, PublicEntry, StandingsRow } from '../src/shared/snapshots'

const entry = (no: number, name = `队${no}`): PublicEntry => ({ no, name, players: ['甲', '乙'] })

function pairings(tables: number, byes: number): PairingsPage[] {
  return [
    {
      round: 1,
      page: 1,
      pages: 1,
      tables: Array.from({ length: tables }, (_, n) => ({ table: n + 1, ns: entry(2 * n + 1), ew: entry(2 * n + 2) })),
      byes: Array.from({ length: byes }, (_, n) => entry(1000 + n)),
    },
  ]
}

const row = (rank: number): StandingsRow => ({
  rank,
  tied: false,
  no: rank,
  name: `队${rank}`,
  club: null,
  players: [],
  values: [],
  moved: null,
})

const rows = { single: 11, double: 7 }

describe('pictures', () => {
  it('shows a waiting picture when nothing is known, never none', () => {
    for (const view of ['standings', 'pairings', 'names', 'rules', 'clubs', 'bracket', 'chart', 'picture'] as const) {
      expect(picturesOf(view, nothing, rows)).toEqual([{ kind: 'waiting' }])
    }
    expect(picturesOf('clock', nothing, rows)).toEqual([{ kind: 'clock' }])
  })

  it('shows every row of every snapshot page once', () => {
    const standings = [1, 2].map((page) => ({
      v: 1,
      round: 1,
      page,
      pages: 2,
      criteria: [],
      rows: Array.from({ length: 20 }, (_, n) => row((page - 1) * 20 + n + 1)),
    }))
    const pictures = picturesOf('standings', { ...nothing, standings }, rows)
    const shown = pictures.map((picture) => (picture.kind === 'standings' ? picture.rows.map((r) => r.rank) : []))
    expect(shown.map((part) => part.length)).toEqual([11, 11, 11, 7])
    expect(shown.flat()).toEqual(Array.from({ length: 40 }, (_, n) => n + 1))
  })

  it('shows pairings by table and then by name, byes in both', () => {
    const pictures = picturesOf('pairings', { ...nothing, pairings: pairings(7, 1) }, rows)
    expect(pictures.map((picture) => picture.kind)).toEqual(['tables', 'tables', 'names', 'names'])
    expect(pictures[1]).toMatchObject({ tables: [], resting: [{ entry: { no: 1000 }, rest: 'bye' }] })
    const seats = pictures.flatMap((picture) => (picture.kind === 'names' ? picture.seats : []))
    expect(seats).toHaveLength(15)
    expect(seats.filter((seat) => seat.table === null).map((seat) => seat.no)).toEqual([1000])
  })

  it('sorts names as people look for them: pinyin, and numbers by value', () => {
    const page = pairings(2, 0)[0] as PairingsPage
    const names = ['中山路', '八大关', '代表队10', '代表队9']
    page.tables.forEach((table, n) => {
      table.ns.name = names[2 * n] ?? ''
      table.ew.name = names[2 * n + 1] ?? ''
    })
    expect(seatsByName([page]).map((seat) => seat.name)).toEqual(['八大关', '代表队9', '代表队10', '中山路'])
  })

  it('names every person of an event of persons, each with his partner', () => {
    const couple = (one: number, two: number): PublicEntry => ({ no: one, nos: [one, two], name: `选手${one} / 选手${two}`, players: [`选手${one}`, `选手${two}`] })
    const page: PairingsPage = { round: 1, page: 1, pages: 1, tables: [{ table: 1, ns: couple(1, 7), ew: couple(3, 4) }], byes: [], sit_outs: [entry(9, '选手9')] }
    const seats = seatsByName([page])
    expect(seats.map((seat) => [seat.no, seat.name, seat.beside.join(), seat.table, seat.side, seat.rest])).toEqual([
      [1, '选手1', '选手7', 1, 'ns', null],
      [3, '选手3', '选手4', 1, 'ew', null],
      [4, '选手4', '选手3', 1, 'ew', null],
      [7, '选手7', '选手1', 1, 'ns', null],
      [9, '选手9', '甲,乙', null, null, 'sit_out'],
    ])
  })

  it('names who rests once, though every page of a snapshot does', () => {
    const pages = [1, 2].map((number): PairingsPage => ({ ...(pairings(2, 1)[0] as PairingsPage), page: number, pages: 2 }))
    const pictures = picturesOf('pairings', { ...nothing, pairings: pages }, rows)
    expect(pictures.flatMap((picture) => (picture.kind === 'tables' ? picture.resting : []))).toHaveLength(1)
  })

  it('begins a picture anew for every group that is ranked for itself', () => {
    const grouped = (rank: number, group: string | null): StandingsRow => ({ ...row(rank), group })
    const standings = [{ v: 1, round: 1, page: 1, pages: 1, criteria: [], rows: [grouped(1, 'NS'), grouped(2, 'NS'), grouped(1, 'EW')] }]
    const pictures = picturesOf('standings', { ...nothing, standings }, rows)
    expect(pictures.map((picture) => (picture.kind === 'standings' ? [picture.group, picture.rows.length] : null))).toEqual([['NS', 2], ['EW', 1]])
  })

  it('shows winners one award at a time, and all who were revealed as the second picture', () => {
    const winner = (rank: number) => ({ rank, tied: false, entry: { number: rank, name: `队${rank}`, club: '', players: [], numbers: [rank] } })
    const revealed = {
      step: 2,
      total: 3,
      newest: winner(2),
      prizes: [
        { name: '冠军', group: null, winners: [], hidden: 1 },
        { name: '优胜奖', group: null, winners: [winner(2), winner(3)], hidden: 0 },
      ],
    }
    const pictures = picturesOf('winners', { ...nothing, revealed }, rows)
    expect(pictures.map((picture) => picture.kind)).toEqual(['winners', 'summary'])
    const [, summary] = pictures
    expect(summary?.kind === 'summary' && summary.lines.map((line) => [line.prize, line.first, line.winner.rank])).toEqual([
      ['优胜奖', true, 2],
      ['优胜奖', false, 3],
    ])
    expect(picturesOf('winners', { ...nothing, revealed: { ...revealed, step: 0, newest: null, prizes: [] } }, rows)).toEqual([{ kind: 'winners' }])
  })

  it('does not say a single player twice', () => {
    expect(playersOf({ name: '甲', players: ['甲'] })).toEqual([])
    expect(playersOf({ name: '甲 / 乙', players: ['甲', '乙'] })).toEqual([])
    expect(playersOf({ name: '海风', players: ['甲', ''] })).toEqual(['甲'])
  })
})

describe('widths', () => {
  it('counts Han characters as one and Latin as about half', () => {
    expect(hanWidth('掼蛋')).toBe(2)
    expect(hanWidth('，·')).toBeCloseTo(1.53)
    expect(hanWidth('A10')).toBeCloseTo(1.59)
  })

  it.each([
    ['每轮五十分钟，剩余五分钟停止抓牌。', 6],
    ['Every table starts from level two; passing A wins.', 9],
    ['第 3 轮 Alexandra 与 Konstantinopoulou-Papadimitriou', 8],
  ])('wraps %s without losing a character', (text, width) => {
    const lines = wrap(text, width)
    expect(lines.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
    // A closing mark may hang over the edge; nothing else may.
    for (const line of lines) expect(hanWidth(line.slice(0, -1))).toBeLessThanOrEqual(width)
  })

  it('never begins a line with a closing mark', () => {
    expect(wrap('一二三四，五六', 4)).toEqual(['一二三四，', '五六'])
  })

  it('gives a long name two small lines, and each of a pair its own', () => {
    expect(nameLines('海风', 10)).toEqual({ small: false, lines: ['海风'] })
    expect(nameLines('市南区机关干部掼蛋协会', 10)).toEqual({ small: true, lines: ['市南区机关干部掼蛋协会'] })
    expect(nameLines('市南区机关干部掼蛋协会第二代表队', 10).lines).toEqual(['市南区机关干部掼蛋协会第', '二代表队'])
    expect(nameLines(['阿依努尔·买买提江', '古丽娜尔·艾合买提'], 10).lines).toEqual([
      '阿依努尔·买买提江',
      '古丽娜尔·艾合买提',
    ])
    const { lines } = nameLines('字'.repeat(60), 10)
    expect(lines).toHaveLength(2)
    expect(lines[1]).toMatch(/…$/)
  })
})

describe('rules', () => {
  it('turns Markdown into plain lines of at most nine to a page', () => {
    const text = ['# 办法', '', ...Array.from({ length: 12 }, (_, n) => `- 第${n + 1}条**重要**`)].join('\n')
    const pages = rulesPages(text)
    expect(pages.every((page) => page.length <= 9)).toBe(true)
    expect(pages[0]?.[0]).toEqual({ kind: 'heading', text: '办法' })
    expect(pages.flat().filter((line) => line.kind === 'item').map((line) => line.text)).toEqual(
      Array.from({ length: 12 }, (_, n) => `第${n + 1}条重要`),
    )
  })

  it('keeps a heading with what follows and never begins or ends a page with a gap', () => {
    const text = `${Array.from({ length: 8 }, (_, n) => `第${n}行`).join('\n')}\n\n## 纪律\n\n迟到判负`
    const pages = rulesPages(text)
    expect(pages).toHaveLength(2)
    expect(pages[1]?.map((line) => line.kind)).toEqual(['heading', 'gap', 'text'])
    expect(pages[0]).toHaveLength(8)
  })

  it('goes on over several pages with a paragraph longer than one', () => {
    const pages = rulesPages('字'.repeat(22 * 20))
    expect(pages.map((page) => page.length)).toEqual([9, 9, 2])
  })

  it('has no page for no text', () => {
    expect(rulesPages('  \n\n ')).toEqual([])
  })
})

describe('layout', () => {
  it('sets few rows apart, and never those of one picture of several', () => {
    expect(roomFor(4, 7, true)).toBeCloseTo(1.4)
    expect(roomFor(6, 7, true)).toBeCloseTo(7 / 6)
    expect(roomFor(7, 7, true)).toBe(1)
    expect(roomFor(2, 7, false)).toBe(1)
    expect(roomFor(0, 7, true)).toBe(1)
  })

  it('gives up columns before it gives up letters', () => {
    for (const criterion of Object.values(CRITERION)) {
      expect(layoutFor('normal', 16 / 9, criterion)).toMatchObject({ criteria: 3, players: true })
      expect(layoutFor('large', 16 / 9, criterion)).toMatchObject({ criteria: 2, players: true })
      expect(layoutFor('tv', 16 / 9, criterion)).toMatchObject({ criteria: 2, players: false })
    }
    expect(layoutFor('normal', 4 / 3)).toMatchObject({ criteria: 2, players: false })
  })
})

describe('paging', () => {
  let scope: EffectScope
  beforeEach(() => {
    vi.useFakeTimers()
    scope = effectScope()
  })
  afterEach(() => {
    scope.stop()
    vi.useRealTimers()
  })
  const begin = (pages: number, start: Partial<Display> = {}) => {
    const display = ref<Display>({ view: 'standings', page: null, paused: false, ...start })
    const count = ref(pages)
    const paging = scope.run(() => usePaging(display, count))
    if (!paging) throw new Error('no scope')
    return { display, count, paging }
  }

  it('turns every ten seconds and begins again after the last', () => {
    const { paging } = begin(3)
    const seen = [0, 1, 2, 3].map(() => {
      const index = paging.index.value
      vi.advanceTimersByTime(10_000)
      return index
    })
    expect(seen).toEqual([0, 1, 2, 0])
  })

  it('never leaves a winner by itself, and comes back from the summary', async () => {
    const { paging, display } = begin(3, { view: 'winners' })
    vi.advanceTimersByTime(60_000)
    expect(paging.index.value).toBe(0)
    display.value = { ...display.value, page: 2 }
    await nextTick()
    expect(paging.index.value).toBe(1)
    display.value = { ...display.value, page: null }
    await nextTick()
    expect(paging.index.value).toBe(0)
  })

  it('stays where it is when data changes, and comes back only when the page is gone', async () => {
    const { paging, count } = begin(3)
    paging.next()
    paging.next()
    count.value = 5
    await nextTick()
    expect(paging.index.value).toBe(2)
    count.value = 2
    await nextTick()
    expect(paging.index.value).toBe(1)
  })

  it('rests on space, goes both ways on arrows, and follows the console again when it speaks', async () => {
    const { paging, display } = begin(4)
    paging.toggleRest()
    vi.advanceTimersByTime(60_000)
    expect(paging.index.value).toBe(0)
    paging.previous()
    expect(paging.index.value).toBe(3)
    display.value = { view: 'standings', page: 2, paused: false }
    await nextTick()
    vi.advanceTimersByTime(60_000)
    expect(paging.index.value).toBe(1)
    display.value = { view: 'standings', page: null, paused: false }
    await nextTick()
    vi.advanceTimersByTime(10_000)
    expect(paging.index.value).toBe(2)
  })

  it('is not moved by a pulse that repeats the same wish', async () => {
    const { paging, display } = begin(4)
    paging.next()
    paging.toggleRest()
    display.value = { ...display.value }
    await nextTick()
    vi.advanceTimersByTime(60_000)
    expect(paging.index.value).toBe(1)
    expect(paging.resting.value).toBe(true)
  })

  it('begins a new view at its first page', async () => {
    const { paging, display } = begin(4)
    paging.next()
    display.value = { view: 'names', page: null, paused: false }
    await nextTick()
    expect(paging.index.value).toBe(0)
  })
})

describe('the clock of the hall', () => {
  const clock = { starts_at: 0, ends_at: 1000, paused_left: null, stop_drawing_minutes: 0, state: 'running' as const }

  it('counts on beyond the end while the round is played, and is silent once it is settled', () => {
    expect(hallClock({ phase: 'playing', clock }, 61_000)).toEqual({ phase: 'over', seconds: 60 })
    for (const phase of ['settled', 'draft', 'ended'] as const) {
      expect(hallClock({ phase, clock }, 61_000)).toEqual({ phase: 'ended', seconds: 0 })
    }
  })
})

describe('snapshots', () => {
  let scope: EffectScope
  beforeEach(() => {
    vi.useFakeTimers()
    scope = effectScope()
  })
  afterEach(() => {
    scope.stop()
    vi.useRealTimers()
  })

  it('keeps the last good one until the next is complete, and tries again', async () => {
    const version = ref<string | null>('1-a')
    const wanted = ref(true)
    let reachable = true
    const asked: string[] = []
    const load = (name: string): Promise<string[]> => {
      asked.push(name)
      return reachable ? Promise.resolve([name]) : Promise.reject(new Error('offline'))
    }
    const kept = scope.run(() => useSnapshot(version, wanted, load))
    await vi.advanceTimersByTimeAsync(1000)
    expect(kept?.pages.value).toEqual(['1-a'])
    reachable = false
    version.value = '2-b'
    await vi.advanceTimersByTimeAsync(3000)
    expect(kept?.pages.value).toEqual(['1-a'])
    reachable = true
    await vi.advanceTimersByTimeAsync(3000)
    expect(kept?.pages.value).toEqual(['2-b'])
    const times = asked.length
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toHaveLength(times)
  })

  it('fetches a large snapshot less often than its version changes', async () => {
    const version = ref<string | null>('0')
    const load = vi.fn((name: string) => Promise.resolve(Array.from({ length: 50 }, () => name)))
    const kept = scope.run(() => useSnapshot(version, ref(true), load))
    for (let second = 1; second <= 30; second += 1) {
      version.value = String(second)
      await vi.advanceTimersByTimeAsync(1000)
    }
    expect(load.mock.calls.map(([name]) => name)).toEqual(['0', '15', '30'])
    expect(kept?.pages.value[0]).toBe('30')
  })

  it('asks for nothing while it is not shown', async () => {
    const version = ref<string | null>('1-a')
    const wanted = ref(false)
    const load = vi.fn((name: string) => Promise.resolve([name]))
    scope.run(() => useSnapshot(version, wanted, load))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(load).not.toHaveBeenCalled()
    wanted.value = true
    await vi.advanceTimersByTimeAsync(0)
    expect(load).toHaveBeenCalledTimes(1)
  })
})
