import { describe, expect, it } from 'vitest'
import { cardsOf, cardWords } from '../src/console/duplicate/seats'
import { menuFor } from '../src/console/frame/menu'
import { rankedExample } from '../src/console/settings/criteria-example'
import { groupsFor } from '../src/console/settings/groups'

const pathsOf = (settings: string[]): string[] => groupsFor(settings).flatMap((group) => group.fields.map((field) => field.path))

describe('settings of a kind', () => {
  it('are only those that act on it', () => {
    const levels = pathsOf(['failures_at_a', 'method', 'knockout'])
    expect(levels).toContain('bye.level_points')
    expect(levels).toContain('pairing.method')
    expect(levels).not.toContain('bye.board_points')
    expect(levels).not.toContain('duplicate_scale')
    const boards = pathsOf(['duplicate_scale', 'median_field'])
    expect(boards).toContain('bye.board_points')
    expect(boards).toContain('median_field')
    expect(boards).not.toContain('bye.level_points')
    expect(boards).not.toContain('pairing.method')
    expect(boards).not.toContain('rotation_rules')
  })

  it('stand there once each', () => {
    const all = groupsFor(undefined).flatMap((group) => group.fields.map((field) => field.path))
    expect(new Set(all).size).toBe(all.length)
  })

  it('bring the page of boards for duplicate events only', () => {
    expect(menuFor(['duplicate_scale']).map((item) => item.name)).toContain('boards')
    expect(menuFor(['failures_at_a']).map((item) => item.name)).not.toContain('boards')
  })
})

describe('the worked example of the criteria', () => {
  it('follows the order they are put in', () => {
    expect(rankedExample(['match_points', 'level_points']).map((row) => row.letter)).toEqual(['B', 'A', 'C', 'D'])
    expect(rankedExample(['match_points', 'upgrades']).map((row) => row.letter)).toEqual(['A', 'B', 'C', 'D'])
  })

  it('says which criterion decided, and shares the rank when none did', () => {
    const rows = rankedExample(['match_points', 'level_points'])
    expect(rows.map((row) => row.decidedBy)).toEqual([null, 1, 0, null])
    expect(rows.map((row) => row.rank)).toEqual([1, 2, 3, 3])
    expect(rankedExample([]).map((row) => row.rank)).toEqual([1, 1, 1, 1])
  })
})

describe('cards', () => {
  it('are read as they are typed', () => {
    expect(cardsOf(' s10, HA，b*\nl* ')).toEqual(['S10', 'HA', 'B*', 'L*'])
    expect(cardsOf('')).toEqual([])
  })

  it('are shown by suit', () => {
    expect(cardWords('S10')).toBe('♠10')
    expect(cardWords('DQ')).toBe('♦Q')
  })
})
