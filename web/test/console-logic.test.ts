import { describe, expect, it } from 'vitest'
import { ranksMayMove } from '../src/console/display/views'
import { dayText } from '../src/shared/dates'
import { findAtDesk, scannedText, type DeskEntry } from '../src/console/desk/desk-search'
import { withWaiting } from '../src/console/desk/use-desk'
import type { OutboxItem } from '../src/shared/outbox'
import { remapped, rolesFor } from '../src/console/entries/import-file'
import { selectEntries, type Entry } from '../src/console/entries/roster'
import { changedPaths, groupOfPath, GROUPS, merged, valueAt, withValue, type Settings } from '../src/console/settings/groups'
import { movedItem } from '../src/console/settings/order'
import { settingAbout, settingName } from '../src/console/settings/words'
import { reasonOf } from '../src/shared/standings/addend-words'
import { setLanguage } from '../src/shared/i18n/language'

setLanguage('zh')

describe('the roster', () => {
  const entry = (number: number, change: Partial<Entry>): Entry => ({
    number,
    name: `队${number}`,
    club: '',
    players: [{ name: `选手${number}`, phone: `1380013${String(number).padStart(4, '0')}` }],
    seed: null,
    state: 'in',
    joined_round: 1,
    left_after_round: null,
    checked_in_at: null,
    checked_in_by: null,
    version: 1,
    paid_at: null,
    registered: false,
    ...change,
  })
  const roster = [entry(1, { club: '乙会' }), entry(2, { checked_in_at: 5 }), entry(3, { state: 'withdrawn', checked_in_at: 6 }), entry(12, { seed: 1, club: '甲会' })]
  const numbers = (search: string, show: 'all' | 'absent' | 'present' | 'withdrawn', order: string): number[] =>
    selectEntries(roster, search, show, order).map((one) => one.number)

  it('filters by state and finds by number, name, club and phone', () => {
    expect(numbers('', 'absent', 'number')).toEqual([1, 12])
    expect(numbers('', 'present', 'number')).toEqual([2])
    expect(numbers('', 'withdrawn', 'number')).toEqual([3])
    expect(numbers('选手12', 'all', 'number')).toEqual([12])
    expect(numbers('乙会', 'all', 'number')).toEqual([1])
    expect(numbers('0013', 'all', 'number')).toEqual([1, 2, 3, 12])
    expect(numbers('#12', 'all', 'number')).toEqual([12])
  })

  it('sorts both ways; what is missing stands last, equals by number', () => {
    expect(numbers('', 'all', '-number')).toEqual([12, 3, 2, 1])
    expect(numbers('', 'all', 'seed')).toEqual([12, 1, 2, 3])
    expect(numbers('', 'all', 'nonsense')).toEqual([1, 2, 3, 12])
  })
})

describe('the desk', () => {
  const entry = (number: number, player: string, phone: string): DeskEntry => ({
    number,
    name: '',
    club: '',
    players: [player],
    phones_masked: [phone],
    state: 'in',
    checked_in_at: null,
    checked_in_by: null,
  })
  const entries = [entry(1, '选手001', '138****0011'), entry(11, '选手002', '138****0001'), entry(12, '选手003', '138****0011')]
  const found = (typed: string): number[] => findAtDesk(entries, typed).map((one) => one.number)

  it('takes a number as that entry alone, else looks at names and the last digits of a phone', () => {
    expect(found('1')).toEqual([1])
    expect(found(' #11 ')).toEqual([11])
    expect(found('选手00')).toEqual([1, 11, 12])
    expect(found('0011')).toEqual([1, 12])
    expect(found('13800130001')).toEqual([11])
    expect(found('没有')).toEqual([])
  })

  it('reads an own code as its number, anything typed as it is, and no other address', () => {
    const read = (text: string): string | null => scannedText(text, 'event-1')
    expect(read('https://example.org/p/event-1?n=12')).toBe('12')
    expect(read('http://10.0.0.2:8000/p/event-1?x=1&n=7#y')).toBe('7')
    expect(read(' 12 ')).toBe('12')
    for (const text of ['https://example.org/p/event-2?n=12', 'https://example.org/p/event-1', 'https://example.org/?n=1', ' ']) {
      expect(read(text)).toBe(null)
    }
  })

  it('shows what it has said before the server has heard of it', () => {
    const said = (number: number, checked_in: boolean, createdAt: number) => ({ about: { number, checked_in }, createdAt }) as unknown as OutboxItem
    const here = (entry(11, '选手002', ''))
    const roster = [entry(1, '选手001', ''), { ...here, checked_in_at: 5, checked_in_by: 'referee' }]
    const times = (items: OutboxItem[]): (number | null)[] => withWaiting(roster, items).map((one) => one.checked_in_at)
    expect(times([])).toEqual([null, 5])
    expect(times([said(1, true, 9)])).toEqual([9, 5])
    expect(times([said(1, true, 9), said(1, false, 10)])).toEqual([null, 5])
    // Somebody else was first: theirs stays.
    expect(times([said(11, true, 9)])).toEqual([null, 5])
    expect(times([said(11, false, 9)])).toEqual([null, null])
  })
})

describe('the columns of an import', () => {
  const columns = [
    { index: 1, heading: '姓名', field: 'player_1_name' },
    { index: 2, heading: '单位', field: 'club' },
    { index: 3, heading: '备注', field: '' },
  ]
  it('gives each role once: the column that had it is left out', () => {
    expect(remapped(columns, 3, 'club')).toEqual({ 1: 'player_1_name', 3: 'club' })
    expect(remapped(columns, 2, '')).toEqual({ 1: 'player_1_name' })
  })
  it('offers names and phones of as many players as the kind has', () => {
    expect(rolesFor(2).filter((role) => role.startsWith('player_'))).toEqual(['player_1_name', 'player_1_phone', 'player_2_name', 'player_2_phone'])
  })
})

describe('settings', () => {
  const award = { match_points: null, level_points: 13, upgrades: 0, board_points: null }
  // What these tests look at; the document itself has many more settings.
  const base = {
    name: '周三例赛',
    kind: 'pairs',
    starts_at: null,
    time_zone: 'Asia/Shanghai',
    rounds: 5,
    boards_per_round: 0,
    minutes_per_round: 50,
    stop_drawing_minutes: 5,
    criteria: ['match_points', 'level_points'],
    points: { win: 2, draw: 1, loss: 0, no_show: 0 },
    bye: award,
    walkover: { ...award, level_points: 20 },
    absent: { match_points: 0, level_points: 0, upgrades: 0, board_points: 0 },
    rotation_points: { three: 3, two: 2, one: 1 },
    fees: { entry: 0, extra: 0, online: false },
    pairing: { method: 'rank_first', order: 'adjacent', first_round: 'random', club_rule: 'avoid', club_until_round: null, seed: '1' },
    clubs: [],
    search_by_phone_only: false,
    prompt_phone: true,
    score_any_time: false,
    registration_closed: false,
    registration_deadline: null,
    club_ranking: { on: false, best: 4 },
    double_submission: true,
    ranking_after_submission_only: true,
    show_own_score: true,
    rules_text: '',
  } as Partial<Settings> as Settings

  it('changes a value inside without touching what was given', () => {
    const after = withValue(base, 'points.win', 3)
    expect(valueAt(after, 'points.win')).toBe(3)
    expect(base.points.win).toBe(2)
    expect(changedPaths(base, after)).toEqual(['points.win'])
    expect(changedPaths(base, base)).toEqual([])
  })

  it('has a place on the page and words for every setting of the server but the kind', () => {
    const shown = GROUPS.flatMap((group) => group.fields.map((field) => field.path))
    const leaves = Object.entries(base).flatMap(([key, value]) =>
      value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.keys(value).map((inner) => `${key}.${inner}`) : [key],
    )
    expect(leaves.filter((path) => path !== 'kind' && !shown.includes(path))).toEqual([])
    expect(shown.filter((path) => settingName(path) === path || settingAbout(path) === '')).toEqual([])
    expect(groupOfPath('criteria[2]')).toBe('basics')
  })

  it('puts two people’s changes together and asks only about what both changed differently', () => {
    const mine = withValue(withValue(base, 'rounds', 6), 'name', '我的')
    const theirs = withValue(withValue(base, 'rounds', 7), 'minutes_per_round', 40)
    const { settings, asked } = merged(base, mine, theirs)
    expect(asked).toEqual(['rounds'])
    expect([settings.rounds, settings.minutes_per_round, settings.name]).toEqual([6, 40, '我的'])
    expect(merged(base, withValue(base, 'rounds', 7), theirs).asked).toEqual([])
  })

  it('moves a criterion to another place', () => {
    expect(movedItem(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b'])
    expect(movedItem(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c'])
    expect(movedItem(['a'], 4, 0)).toEqual(['a'])
  })
})

describe('the words of an addend', () => {
  it('names the opponent in the page’s language', () => {
    const names = new Map([[7, '丁队']])
    expect(reasonOf('win over 7', names)).toBe('胜 7 丁队')
    expect(reasonOf('bye', names)).toBe('轮空')
    expect(reasonOf('adjustment: 迟到', names)).toBe('更正：迟到')
    expect(reasonOf('adjustment', names)).toBe('罚分或更正')
    expect(reasonOf('adjustment: ', names)).toBe('罚分或更正')
    expect(reasonOf('walkover, forfeited by 7 and 9', names)).toBe('不战而胜：7 丁队、9 弃权')
    expect(reasonOf('something new', names)).toBe('something new')
  })
})

describe('the day of a certificate', () => {
  it('is that of the hall, also before eight in the morning in China', () => {
    const night = Date.UTC(2026, 10, 30, 19, 35)
    expect(dayText(night, 'Asia/Shanghai')).toBe('2026-12-01')
    expect(dayText(night, 'Europe/London')).toBe('2026-11-30')
    expect(dayText(night, 'Nowhere/Else')).toMatch(/^2026-1[12]-\d\d$/)
  })
})

describe('revealing the winners', () => {
  it('warns while ranks may still move', () => {
    const at = (phase: string, of: number, eventPhase = 'playing') =>
      ranksMayMove({ phase: eventPhase, rounds: [{ number: 5, phase }], settings: { rounds: of } } as Parameters<typeof ranksMayMove>[0])
    expect(at('playing', 5)).toBe('open')
    expect(at('settled', 6)).toBe('early')
    expect(at('settled', 5)).toBeNull()
    expect(at('playing', 5, 'ended')).toBeNull()
  })
})
