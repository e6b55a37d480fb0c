import { describe, expect, it } from 'vitest'
import { boardsScore, levelsScore, parseBoards, parseLapLevel, parseLevel, parseTable, parseWinner } from '../src/console/scoring/slip-input'
import { tableOf, toPlay } from './tables'

describe('a typed level', () => {
  it.each([
    ['2', '2'],
    ['10', '10'],
    ['0', '10'],
    ['j', 'J'],
    ['12', 'Q'],
    ['14', 'A'],
    [' a ', 'A'],
    ['a+', 'A+'],
    ['过a', 'A+'],
    ['15', 'A+'],
    ['１０', '10'],
    ['Ａ＋', 'A+'],
  ])('reads %s as %s', (typed, level) => expect(parseLevel(typed)).toBe(level))

  it.each(['', '16', 'B', '-1', 'A-', '2.5'])('refuses %j', (typed) => expect(parseLevel(typed)).toBeNull())

  it('has a lap in front of it only where the kind has laps', () => {
    expect(parseLapLevel('k', true)).toEqual({ level: 'K', lap: 1 })
    expect(parseLapLevel('2.10', true)).toEqual({ level: '10', lap: 2 })
    expect(parseLapLevel('3/a+', true)).toEqual({ level: 'A+', lap: 3 })
    expect(parseLapLevel('0.5', true)).toBeNull()
    expect(parseLapLevel('2.10', false)).toBeNull()
  })

  it('makes a score with the other one, or a forfeit', () => {
    expect(levelsScore('a', '9', false)).toMatchObject({ outcome: 'played', ns_level: 'A', ew_level: '9' })
    expect(levelsScore('2.3', 'k', true)).toMatchObject({ ns_level: '3', ns_lap: 2, ew_level: 'K', ew_lap: 1 })
    expect(levelsScore('x', '', false)).toMatchObject({ outcome: 'ns_forfeit', ns_level: null })
    expect(levelsScore('9', '弃', false)).toMatchObject({ outcome: 'ew_forfeit', ns_level: null })
    expect(levelsScore('X', 'x', false)).toMatchObject({ outcome: 'double_forfeit' })
    expect(levelsScore('x', '9', false)).toBeNull()
    expect(levelsScore('9', '', false)).toBeNull()
  })
})

describe('a typed table', () => {
  const pairs = [tableOf({ table: 1 }), tableOf({ table: 12 })]
  const rooms = [tableOf({ table: 7, room: 'open' }), tableOf({ table: 50_007, match: 7, room: 'closed' })]

  it('is found by its number', () => {
    expect(parseTable(' 12 ', pairs)?.table).toBe(12)
    expect(parseTable('０１', pairs)?.table).toBe(1)
    expect(parseTable('12.1', pairs)).toBeNull()
    expect(parseTable('2', pairs)).toBeNull()
    expect(parseTable('', pairs)).toBeNull()
  })

  it('has a room behind its number, the open one where nothing is said', () => {
    expect(['7', '7.1', '7a', '7开室', '7-2', '7.2', '7b', '7 闭'].map((typed) => parseTable(typed, rooms)?.room)).toEqual([
      'open', 'open', 'open', 'open', 'closed', 'closed', 'closed', 'closed',
    ])
    expect(parseTable('50007', rooms)).toBeNull()
    expect(parseTable('7.3', rooms)).toBeNull()
  })
})

describe('typed boards', () => {
  it.each([
    ['321', [3, 2, 1]],
    ['3-12', [3, -1, 2]],
    ['-3 -2 -1', [-3, -2, -1]],
    ['３－１', [3, -1]],
    ['n3e1w2+1', [3, -1, -2, 1]],
    ['', []],
  ])('read %j as %j', (typed, results) => expect(parseBoards(typed)).toEqual({ results, open: false, wrong: '' }))

  it('say where they are no results, and that a digit is still due', () => {
    expect(parseBoards('3-4')).toEqual({ results: [3], open: false, wrong: '-4' })
    expect(parseBoards('30')).toEqual({ results: [3], open: false, wrong: '0' })
    expect(parseBoards('3-')).toEqual({ results: [3], open: true, wrong: '' })
  })

  it('are a score when there are as many as the table plays, under its own numbers', () => {
    expect(boardsScore('3-1', toPlay(5, 6))?.boards).toEqual([{ board: 5, result: 3 }, { board: 6, result: -1 }])
    expect(boardsScore('3', toPlay(5, 6))).toBeNull()
    expect(boardsScore('3-12', toPlay(5, 6))).toBeNull()
    expect(boardsScore('3-', toPlay(5, 6))).toBeNull()
    expect(boardsScore('', [])).toBeNull()
  })
})

it.each([
  ['1', 'ns'],
  ['n', 'ns'],
  ['南北', 'ns'],
  ['2', 'ew'],
  ['W', 'ew'],
  ['3', null],
  ['', null],
])('a typed winner %j is %s', (typed, side) => expect(parseWinner(typed)).toBe(side))
