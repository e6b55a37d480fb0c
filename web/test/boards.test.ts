import { beforeEach, describe, expect, it } from 'vitest'
import { climbIsOver, differingBoards, missingBoards, netOf, scoreOfBoards, seatOf, seenFrom, withResult } from '../src/shared/boards'
import { climbAfter, levelName, openEndedClimbAfter, type FailuresAtA } from '../src/shared/climb'
import { setLanguage } from '../src/shared/i18n/language'
import { sameScore, scoreSentence, scoreText, signed, winnerOf } from '../src/shared/score-words'
import cases from './climb-cases.json'
import { boards, levels } from './tables'

beforeEach(() => setLanguage('zh'))

describe('levels out of boards', () => {
  const settings: FailuresAtA[] = ['none', 'back_to_2', 'lose']

  it.each(settings)('are those of the server in every case of its table, with failures at A: %s', (setting) => {
    const said = cases.map(({ results }) => {
      const { ns, ew, lost } = climbAfter(results, setting)
      return [levelName(ns).level, levelName(ew).level, lost]
    })
    expect(said).toEqual(cases.map((one) => one[setting]))
  })

  it('are those of the server in 超分赛, laps and all', () => {
    const said = cases.map(({ results }) => {
      const { ns, ew } = openEndedClimbAfter(results)
      return [ns, ew].map((index) => [levelName(index).level, levelName(index).lap])
    })
    expect(said).toEqual(cases.map((one) => one.laps))
  })

  it('name the winner where a side lost by its failures', () => {
    const rules = { laps: false, failures_at_a: 'lose' }
    const lost = boards(3, 3, 3, 3, 1, 1, 1).boards
    const score = scoreOfBoards(lost, rules)
    expect([score.ns_level, score.ew_level, score.winner]).toEqual(['A', '2', 'ew'])
    expect(scoreSentence(score)).toBe('南北三次打 A 不过，东西胜')
  })

  it('end a table past A, or when all boards are played', () => {
    const rules = { by: 'levels', laps: false, needs_winner: false, boards: 0, failures_at_a: 'none', rooms: false, self_forfeit: false }
    expect(climbIsOver(boards(3, 3, 3, 3).boards, rules)).toBe(false)
    expect(climbIsOver(boards(3, 3, 3, 3, 2).boards, rules)).toBe(true)
    expect(climbIsOver(boards(1, 1).boards, { ...rules, boards: 2 })).toBe(true)
    expect(climbIsOver(boards(3, 3, 3, 3, 2).boards, { ...rules, laps: true })).toBe(false)
  })
})

describe('boards', () => {
  it('are seen from where one sits, which the closed room turns round', () => {
    expect(seatOf({ room: null }, 'ew')).toBe('ew')
    expect(seatOf({ room: 'open' }, 'ns')).toBe('ns')
    expect(seatOf({ room: 'closed' }, 'ns')).toBe('ew')
    expect(seenFrom('ew', 3)).toBe(-3)
    expect(netOf(boards(3, -1, 2).boards, 'ew')).toBe(-4)
    expect([signed(3), signed(-2), signed(0)]).toEqual(['+3', '−2', '0'])
  })

  it('are kept in the order of their numbers, one result each', () => {
    const two = withResult(withResult([], 4, 1), 2, -3)
    expect(two).toEqual([{ board: 2, result: -3 }, { board: 4, result: 1 }])
    expect(withResult(two, 2, 2)).toEqual([{ board: 2, result: 2 }, { board: 4, result: 1 }])
    expect(withResult(two, 4, null)).toEqual([{ board: 2, result: -3 }])
    expect(missingBoards([{ board: 1 }, { board: 2 }, { board: 3 }], two)).toEqual([1, 3])
  })

  it('differ where either side says something else or nothing', () => {
    expect(differingBoards(boards(1, 2, 3), boards(1, -2))).toEqual([2, 3])
  })
})

describe('scores of the other kinds in words', () => {
  it('count boards, laps and named winners', () => {
    expect(scoreText(boards(3, -1, 2))).toBe('3 副 +4')
    expect(scoreText(boards(-3, -1))).toBe('2 副 −4')
    expect(scoreText(levels('5', 'K', { ns_lap: 2 }))).toBe('2圈 5 : K')
    expect(scoreSentence(levels('2', 'A+', { ns_lap: 2 }))).toBe('南北 2圈 2 胜，级差 1')
    expect(scoreSentence(levels('8', '8', { winner: 'ew' }))).toBe('双方同打到 8，东西胜')
    expect(winnerOf(levels('8', '8', { winner: 'ew' }))).toBe('ew')
    expect(winnerOf(levels(null, null, { outcome: 'ns_forfeit' }))).toBe('ew')
  })

  it('agree as the server compares them: boards are only a record behind levels', () => {
    expect(sameScore(levels('5', '2'), { ...levels('5', '2'), boards: boards(3).boards })).toBe(true)
    expect(sameScore(boards(1, 2), boards(1, 2))).toBe(true)
    expect(sameScore(boards(1, 2), boards(1, -2))).toBe(false)
    expect(sameScore(levels('8', '8'), levels('8', '8', { winner: 'ns' }))).toBe(false)
    expect(sameScore(levels('8', '8', { ns_lap: 2 }), levels('8', '8'))).toBe(false)
  })
})
