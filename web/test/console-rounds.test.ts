import { afterEach, describe, expect, it } from 'vitest'
import {
  arrangementOf,
  byPersons,
  conflictsOf,
  personsOf,
  sideText,
  swapped,
  swappedTables,
  type Arrangement,
  type DrawnTable,
  type SeatedEntry,
} from '../src/console/rounds/draft'
import { setLanguage } from '../src/shared/i18n/language'

setLanguage('zh')
afterEach(() => setLanguage('zh'))

const seat = (number: number, name = `队${number}`): SeatedEntry => ({ number, name, club: '', players: [], numbers: [number] })
const couple = (one: number, two: number): SeatedEntry => ({
  number: one,
  name: '',
  club: '',
  players: [`选手${one}`, `选手${two}`],
  numbers: [one, two],
})
const drawn = (table: number, ns: SeatedEntry, ew: SeatedEntry): DrawnTable => ({
  table,
  ns,
  ew,
  why: null,
  rematch_of: null,
  same_club: false,
  board_set: null,
  third_place: false,
})

describe('a draft of teams', () => {
  const draft: Arrangement = {
    tables: [
      { table: 1, ns: [11], ew: [12] },
      { table: 2, ns: [21], ew: [22] },
    ],
    byes: [31],
    sit_outs: [41],
  }
  const at = (table: number, side: 'ns' | 'ew'): { table: number; side: 'ns' | 'ew'; seat: null } => ({ table, side, seat: null })

  it('exchanges two teams, also within one table', () => {
    expect(swapped(draft, at(1, 'ew'), at(2, 'ns'))?.tables).toEqual([
      { table: 1, ns: [11], ew: [21] },
      { table: 2, ns: [12], ew: [22] },
    ])
    expect(swapped(draft, at(1, 'ns'), at(1, 'ew'))?.tables[0]).toEqual({ table: 1, ns: [12], ew: [11] })
  })

  it('exchanges a team with one that has a bye or rests', () => {
    expect(swapped(draft, { out: 31 }, at(2, 'ew'))).toEqual({
      tables: [draft.tables[0], { table: 2, ns: [21], ew: [31] }],
      byes: [22],
      sit_outs: [41],
    })
    expect(swapped(draft, at(2, 'ew'), { out: 41 })).toMatchObject({ byes: [31], sit_outs: [22] })
    expect(swapped(draft, { out: 31 }, { out: 41 })).toMatchObject({ byes: [41], sit_outs: [31] })
  })

  it('leaves everything alone when a place does not exist or is the same', () => {
    expect(swapped(draft, at(1, 'ns'), at(9, 'ns'))).toBeNull()
    expect(swapped(draft, at(1, 'ns'), at(1, 'ns'))).toBeNull()
    expect(swapped(draft, { out: 99 }, at(1, 'ns'))).toBeNull()
    expect(swappedTables(draft, 1, 1)).toBeNull()
    expect(swappedTables(draft, 1, 3)).toBeNull()
  })

  it('exchanges whole tables and keeps their numbers', () => {
    expect(swappedTables(draft, 1, 2)?.tables).toEqual([
      { table: 1, ns: [21], ew: [22] },
      { table: 2, ns: [11], ew: [12] },
    ])
  })

  it('counts its conflicts', () => {
    const table = (rematch_of: number | null, same_club: boolean): DrawnTable => ({ ...drawn(1, seat(1), seat(2)), rematch_of, same_club })
    expect(conflictsOf([table(2, false), table(null, true), table(1, true), table(null, false)])).toEqual({ rematches: 2, sameClub: 2 })
  })
})

describe('a draft of persons', () => {
  const round = { tables: [drawn(1, couple(1, 2), couple(3, 4)), drawn(2, couple(5, 6), couple(7, 8))], byes: [], sit_outs: [seat(9)] }
  const draft = arrangementOf(round)

  it('moves one person out of a couple', () => {
    expect(byPersons(round)).toBe(true)
    expect(personsOf(couple(1, 2))).toEqual([
      { number: 1, name: '选手1', club: '' },
      { number: 2, name: '选手2', club: '' },
    ])
    const next = swapped(draft, { table: 1, side: 'ns', seat: 1 }, { table: 2, side: 'ew', seat: 0 })
    expect(next?.tables).toEqual([
      { table: 1, ns: [1, 7], ew: [3, 4] },
      { table: 2, ns: [5, 6], ew: [2, 8] },
    ])
    expect(swapped(draft, { table: 1, side: 'ns', seat: 0 }, { out: 9 })).toMatchObject({ sit_outs: [1] })
  })

  it('moves a couple as one, but never against a single person', () => {
    const both = { table: 1, side: 'ns', seat: null } as const
    expect(swapped(draft, both, { table: 2, side: 'ew', seat: null })?.tables[1]?.ew).toEqual([1, 2])
    expect(swapped(draft, both, { table: 2, side: 'ew', seat: 1 })).toBeNull()
    expect(swapped(draft, both, { table: 1, side: 'ns', seat: 0 })).toBeNull()
  })

  it('writes both numbers', () => {
    expect(sideText(couple(3, 8))).toBe('3·8 选手3 / 选手8')
  })
})
