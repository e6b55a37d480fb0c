import { beforeAll, describe, expect, it } from 'vitest'
import { setLanguage } from '../src/shared/i18n/language'
import { spreadOf } from '../src/shared/charts/spread'
import type { Bracket } from '../src/shared/matches/bracket'
import type { CalendarDay } from '../src/shared/matches/calendar'
import type { PairingsPage, PublicEntry } from '../src/shared/snapshots'
import { calendarPictures } from '../src/screen/calendar-lines'
import { layoutFor } from '../src/screen/letters'
import { NOTHING, picturesOf, seatsByName } from '../src/screen/pages'
import { nameLines } from '../src/screen/text-width'
import { seated } from './tables'

beforeAll(() => setLanguage('zh'))

const rows = { single: 11, double: 7 }
const LONG = ['东海之滨听潮观云联队甲队', 'Northern Lights Bridge Partners']

describe('the calendar', () => {
  const meeting = (table: number) => ({ table, ns: seated(1, '甲'), ew: seated(2, '乙'), result: null, postponed: false })
  const day = (round: number, tables: number, drawn = false): CalendarDay => ({
    round,
    at: null,
    drawn,
    tables: Array.from({ length: tables }, (_, n) => meeting(n + 1)),
    byes: [],
  })
  const headings = (pictures: ReturnType<typeof calendarPictures>): number[][] =>
    pictures.map((lines) => lines.flatMap((line) => (line.kind === 'day' ? [line.day.round] : [])))

  it('keeps a round together where a picture holds it', () => {
    const pictures = calendarPictures([day(1, 4), day(2, 4), day(3, 4)], 12)
    expect(headings(pictures)).toEqual([[1, 2], [3]])
    expect(pictures.map((lines) => lines.length)).toEqual([10, 5])
  })

  it('repeats the heading of a round that needs several pictures, and loses no meeting', () => {
    const pictures = calendarPictures([day(1, 25)], 12)
    expect(headings(pictures)).toEqual([[1], [1], [1]])
    expect(pictures.flat().flatMap((line) => (line.kind === 'meeting' ? [line.table.table] : []))).toEqual(Array.from({ length: 25 }, (_, n) => n + 1))
  })

  it('begins with the round that is on where the whole would take too long', () => {
    const pictures = calendarPictures(Array.from({ length: 60 }, (_, n) => day(n + 1, 11, n < 20)), 12)
    expect(headings(pictures)[0]).toEqual([20])
    expect(pictures).toHaveLength(24)
  })

  it('waits while nothing is published', () => {
    expect(picturesOf('calendar', NOTHING, rows)).toEqual([{ kind: 'waiting' }])
  })
})

describe('names in the hall', () => {
  it('are whole up to twelve Han or thirty Latin letters, in every view', () => {
    for (const letters of ['normal', 'large', 'tv'] as const) {
      const { fits } = layoutFor(letters, 16 / 9)
      for (const name of LONG) {
        for (const [view, room] of Object.entries(fits)) {
          const { lines } = nameLines(name, room)
          expect(lines.join(/^[A-Z]/.test(name) ? ' ' : ''), `${view}, ${letters}`).toBe(name)
        }
      }
    }
  })

  it('of a large team are as many as two lines hold, whole, and their number', () => {
    const names = Array.from({ length: 8 }, (_, n) => `欧阳选手零零${n}号`)
    const { lines } = nameLines(names, 12, (n) => `等 ${n} 人`)
    expect(lines).toEqual(['欧阳选手零零0号', '欧阳选手零零1号 · 等 8 人'])
  })

  it('of a match in two rooms say where both pairs sit', () => {
    const entry = (no: number): PublicEntry => ({ no, name: `队${no}`, players: [] })
    const page: PairingsPage = { round: 1, page: 1, pages: 1, tables: [{ table: 3, ns: entry(1), ew: entry(2) }], byes: [entry(9)], rooms: true }
    expect(seatsByName([page]).map((seat) => [seat.no, seat.table, seat.side, seat.closed])).toEqual([
      [1, 3, 'ns', 'ew'],
      [2, 3, 'ew', 'ns'],
      [9, null, null, null],
    ])
  })

  it('in a bracket get two columns, then fewer matches, when they are long', () => {
    const shapes = ['晚照', LONG[0] ?? '', `${LONG[0]} / ${LONG[0]}`].map((name) => {
      const table = { table: 1, third_place: false, ns: seated(1, name), ew: seated(2, '乙队'), winner: null, result: null }
      const bracket: Bracket = {
        rounds: [8, 4, 2, 1].map((count, n) => ({ round: n + 1, name_zh: '', name_en: '', tables: Array.from({ length: count }, () => table) })),
      }
      return picturesOf('bracket', { ...NOTHING, bracket }, rows).map((picture) => (picture.kind === 'bracket' ? [picture.columns, picture.part.columns[0]?.places.length] : []))
    })
    expect(shapes).toEqual([[[3, 8], [3, 4]], [[2, 8], [2, 2]], [[2, 4], [2, 4], [2, 2]]])
  })
})

describe('the spread', () => {
  const criterion = { code: 'match_points', zh: '场分', en: 'Match points' }

  it('is of level points where there are any, else of what teams rank by', () => {
    expect(spreadOf({ level_points: [{ from: 12, to: 14, count: 2 }], spread: null })?.bars).toEqual([{ text: '12 ~ 14', count: 2 }])
    const spread = { criterion, whole: true, ranges: [{ from: -5, below: 0, count: 1 }, { from: 0, below: 5, count: 3 }] }
    expect(spreadOf({ level_points: [], spread })).toMatchObject({ name: '场分分布', bars: [{ text: '−5 ~ −1', count: 1 }, { text: '0 ~ 4', count: 3 }] })
    expect(spreadOf({ level_points: [], spread: null })).toBeNull()
  })

  it('says of values between whole numbers that the end is no part of a range', () => {
    const spread = { criterion, whole: false, ranges: [{ from: 2, below: 3, count: 1 }] }
    expect(spreadOf({ level_points: [], spread })?.bars).toEqual([{ text: '2 ~ <3', count: 1 }])
  })
})
