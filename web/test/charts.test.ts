import { describe, expect, it } from 'vitest'
import { byEnd, linesShown, namesFit, namesWidth, niceStep, rankHeight, spread, ticks, type RankLine } from '../src/shared/charts/geometry'

describe('the geometry of charts', () => {
  it('puts the first rank on top and the last at the bottom, however many there are', () => {
    for (const last of [2, 10, 16, 17, 400]) {
      expect(rankHeight(1, last)).toBeCloseTo(0)
      expect(rankHeight(last, last)).toBeCloseTo(1)
      for (let rank = 2; rank <= last; rank += 1) expect(rankHeight(rank, last)).toBeGreaterThan(rankHeight(rank - 1, last))
    }
    expect(rankHeight(1, 1)).toBe(0.5)
  })

  it('keeps labels apart, in order, and inside', () => {
    const placed = spread([0, 1, 2, 95, 96, 97], 10, 100)
    for (let index = 1; index < placed.length; index += 1) expect((placed[index] ?? 0) - (placed[index - 1] ?? 0)).toBeGreaterThanOrEqual(10 - 1e-9)
    expect(Math.max(...placed)).toBeLessThanOrEqual(100)
    expect(spread([0, 50], 10, 100)).toEqual([0, 50])
  })

  it('names the best, and whoever is asked for', () => {
    const lines: RankLine[] = Array.from({ length: 12 }, (_, n) => ({ entry: n + 1, name: `队${n + 1}`, ranks: [12 - n, n + 1] }))
    expect(linesShown(lines, 8, null).map((line) => line.entry)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(linesShown(lines, 8, 11).map((line) => line.entry)).toContain(11)
    expect(linesShown(lines, 8, 11)).toHaveLength(8)
    expect(linesShown(lines, 8, 3)).toHaveLength(8)
  })

  it('numbers the lines where a name would not stand whole beside them, and cuts none', () => {
    const line = (name: string): RankLine => ({ entry: 3, name, ranks: [1, 2] })
    const [phone, hall] = [{ width: 300, letter: 13 }, { width: 1800, letter: 36 }]
    const long = ['荷塘月色诗词雅集掼蛋小队', 'Northern Lights Bridge Partner']
    for (const name of long) {
      expect(namesFit([line(name)], phone)).toBe(false)
      expect(namesFit([line(name)], hall)).toBe(true)
    }
    expect(namesFit([line('松涛')], phone)).toBe(true)
    expect(namesWidth([line(long[0] ?? '')], phone)).toBeLessThan(phone.width / 2)
  })

  it('lists lines as they end, in the colours they are drawn in', () => {
    const lines: RankLine[] = [
      { entry: 1, name: '甲', ranks: [1, 3] },
      { entry: 2, name: '乙', ranks: [2, 1] },
      { entry: 3, name: '丙', ranks: [3, null] },
    ]
    expect(byEnd(lines).map(({ line, colour, rank }) => [line.entry, colour, rank])).toEqual([[2, 1, 1], [1, 0, 3], [3, 2, null]])
  })

  it('divides axes by round numbers', () => {
    expect(niceStep(50, 5)).toBe(10)
    expect(niceStep(7, 5)).toBe(2)
    expect(ticks(45, 5)).toEqual([0, 10, 20, 30, 40])
    expect(ticks(3, 5)).toEqual([0, 1, 2, 3])
  })
})
