import { beforeEach, describe, expect, it } from 'vitest'
import { isComplete, roomsOf, seatsOf, withSeat } from '../src/play/line-up'
import { setLanguage } from '../src/shared/i18n/language'
import { fill } from '../src/shared/i18n/translate'
import { groupsOf, phoneLooksRight, substitutionText } from '../src/shared/officials/substitutes'
import { parseBoardsForfeit } from '../src/console/scoring/slip-input'
import { seated } from './tables'

beforeEach(() => setLanguage('zh'))

describe('who can be substituted', () => {
  it('is every player of a team by the place, and each of two persons by the own number', () => {
    const place = (entry: number, player: number, name: string) => ({ entry, player, person: `${entry}-${player}`, name })
    const places = [place(7, 0, '甲'), place(7, 1, '甲'), place(3, 0, '丙'), place(8, 0, '丁')]
    const sides = [seated(7, '海风', { players: ['甲', '甲'] }), seated(3, '丙 / 丁', { players: ['丙', '丁'], numbers: [3, 8] })]
    expect(groupsOf(sides, places)).toEqual([
      { name: '海风', places: places.slice(0, 2) },
      { name: '丙 / 丁', places: places.slice(2) },
    ])
  })

  it('says from which round, and takes a phone as hands type it', () => {
    expect(substitutionText({ gone: '甲', came: '丙', round: 3 })).toBe('甲 → 丙，第 3 轮起')
    for (const typed of ['', ' ', '138 0013 8000', '１３８００１３８０００', '+852 5123 4567']) expect(phoneLooksRight(typed)).toBe(true)
    for (const typed of ['138', '23800138000', 'abc', '138001380001']) expect(phoneLooksRight(typed)).toBe(false)
  })
})

describe('a line-up on the phone', () => {
  const asked = { round: 2, rooms: [[0, 3], [1, 2]], version: 4, why_not: null }

  it('is read and sent as places', () => {
    expect(seatsOf(asked, 5)).toEqual([0, 1, 1, 0, null])
    expect(roomsOf([0, 1, 1, 0, null], 2)).toEqual(asked.rooms)
    expect(isComplete([0, 1, 1, 0, null], 2)).toBe(true)
    expect(isComplete([0, 1, 0, 0, null], 2)).toBe(false)
    expect(isComplete([0, null, 0], 1)).toBe(true)
  })

  it('sends who is left to the other room where everybody plays', () => {
    const one = withSeat([null, null, null, null], 0, 0, 2)
    expect(one).toEqual([0, null, null, null])
    expect(withSeat(one, 2, 0, 2)).toEqual([0, 1, 0, 1])
    expect(withSeat([0, 1, 0, 1], 0, null, 2)).toEqual([null, 1, 0, 1])
    expect(withSeat([0, null, null, null, null], 2, 0, 2)).toEqual([0, null, 0, null, null])
  })
})

describe('a forfeit in the place of boards', () => {
  it('says whose it is, by seat or, where a match has two rooms, by team', () => {
    expect(['x1', 'X N', 'ｘ南北', '弃权1'].map((typed) => parseBoardsForfeit(typed, false))).toEqual(Array(4).fill('ns_forfeit'))
    expect(['x2', 'xe', '弃东西'].map((typed) => parseBoardsForfeit(typed, false))).toEqual(Array(3).fill('ew_forfeit'))
    expect(['xx', '弃弃', 'X3'].map((typed) => parseBoardsForfeit(typed, true))).toEqual(Array(3).fill('double_forfeit'))
    expect(['x', 'x9', 'xn', 'xe'].map((typed) => parseBoardsForfeit(typed, true))).toEqual(Array(4).fill('whose'))
    expect([parseBoardsForfeit('x2', true), parseBoardsForfeit('3-12', false), parseBoardsForfeit('', false)]).toEqual(['ew_forfeit', null, null])
  })
})

it('a Latin name stands apart from the Chinese around it', () => {
  expect(fill('采用{side}', { side: 'Feather & Ink' })).toBe('采用 Feather & Ink')
  expect(fill('判{side}胜', { side: 'Team 7' })).toBe('判 Team 7 胜')
  expect(fill('判{side}胜', { side: '南北' })).toBe('判南北胜')
  expect(fill('{lap}圈', { lap: 2 })).toBe('2圈')
  expect(fill('打 {level}，完', { level: 'K' })).toBe('打 K，完')
})
