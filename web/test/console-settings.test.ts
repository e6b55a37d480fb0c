import { describe, expect, it } from 'vitest'
import { cardsOf, cardWords } from '../src/console/duplicate/seats'
import { menuFor } from '../src/console/frame/menu'
import { rankedExample } from '../src/console/settings/criteria-example'
import { groupsFor } from '../src/console/settings/groups'
import { pickedMoment, pickerDate } from '../src/console/settings/zones'

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

describe('the club ranking', () => {
  it('is in the menu only while it is switched on', () => {
    expect(menuFor([], true).map((item) => item.name)).toContain('clubs')
    expect(menuFor([], false).map((item) => item.name)).not.toContain('clubs')
  })
})

describe('times of the event’s zone', () => {
  const SHANGHAI = 'Asia/Shanghai'
  const deadline = Date.UTC(2026, 10, 30, 15, 59)

  it('are shown as the clock of the zone shows them, whatever zone the browser is in', () => {
    const shown = pickerDate(deadline, SHANGHAI)
    expect([shown.getDate(), shown.getHours(), shown.getMinutes()]).toEqual([30, 23, 59])
    const far = pickerDate(deadline, 'America/New_York')
    expect([far.getDate(), far.getHours(), far.getMinutes()]).toEqual([30, 10, 59])
  })

  it('come back as the same moment', () => {
    for (const zone of [SHANGHAI, 'America/New_York', 'UTC', 'Asia/Kathmandu', 'no such zone']) {
      expect(pickedMoment(pickerDate(deadline, zone), zone)).toBe(deadline)
    }
  })

  it('are right on both sides of a change of the clocks', () => {
    const before = Date.UTC(2026, 9, 25, 0, 30)
    const after = Date.UTC(2026, 9, 25, 1, 30)
    expect(pickedMoment(pickerDate(before - 3_600_000, 'Europe/Berlin'), 'Europe/Berlin')).toBe(before - 3_600_000)
    expect(pickedMoment(pickerDate(after + 3_600_000, 'Europe/Berlin'), 'Europe/Berlin')).toBe(after + 3_600_000)
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
