import { describe, expect, it } from 'vitest'
import { bodyOf, emptyEntry, entryOf, lackOf, scoreEntered, takesBoard, type Entry } from '../src/play/entering'
import { needsRoom, roomByLineUp, seatedAt, withTable } from '../src/play/rooms'
import type { Me } from '../src/play/remembered'
import type { ScoringRules } from '../src/shared/boards'
import { boards, levels, tableOf } from './tables'

const rules = (changes: Partial<ScoringRules> = {}): ScoringRules => ({
  by: 'levels', laps: false, needs_winner: false, boards: 0, failures_at_a: 'back_to_2', rooms: false, self_forfeit: false, ...changes,
})
const byLevels = (ns: Entry['ns'], ew: Entry['ew'], changes: Partial<Entry> = {}): Entry => ({ ...emptyEntry('levels'), ns, ew, ...changes })
const byBoards = (...results: number[]): Entry => ({ ...emptyEntry('boards'), boards: boards(...results).boards })
const toPlay = [{ board: 1 }, { board: 2 }, { board: 3 }]

describe('what is still missing before a result can be submitted', () => {
  it('are both levels, and not 过A twice but in 超分赛', () => {
    expect(lackOf(byLevels(null, null), rules(), [])).toBe('both_levels')
    expect(lackOf(byLevels('9', null), rules(), [])).toBe('other_level')
    expect(lackOf(byLevels('A+', 'A+'), rules(), [])).toBe('both_passed')
    expect(lackOf(byLevels('A+', 'A+'), rules({ laps: true }), [])).toBeNull()
    expect(lackOf(byLevels('9', '9'), rules(), [])).toBeNull()
  })

  it('is a winner on equal levels of a knock-out', () => {
    const knockout = rules({ needs_winner: true })
    expect(lackOf(byLevels('9', '9'), knockout, [])).toBe('winner')
    expect(lackOf(byLevels('9', '9', { winner: 'ew' }), knockout, [])).toBeNull()
    expect(lackOf(byLevels('9', '8'), knockout, [])).toBeNull()
    expect(lackOf(byBoards(1, -1), knockout, [])).toBe('winner')
  })

  it('is every board of a duplicate table, or a first board where boards make levels', () => {
    const duplicate = rules({ by: 'boards', boards: 3 })
    expect(lackOf(byBoards(1, 2), duplicate, toPlay)).toBe('boards')
    expect(lackOf(byBoards(1, 2, -3), duplicate, toPlay)).toBeNull()
    expect(lackOf(byBoards(), rules(), [])).toBe('no_boards')
    expect(lackOf(byBoards(1), rules(), [])).toBeNull()
  })
})

describe('what is sent', () => {
  it('is only what the kind knows', () => {
    expect(bodyOf(levels('9', 'K'), rules())).toEqual({ ns_level: '9', ew_level: 'K' })
    expect(bodyOf(levels('9', 'K', { ns_lap: 2 }), rules({ laps: true }))).toEqual({ ns_level: '9', ew_level: 'K', ns_lap: 2, ew_lap: 1 })
    expect(bodyOf(boards(1, -2), rules({ by: 'boards' }))).toEqual({ boards: [{ board: 1, result: 1 }, { board: 2, result: -2 }] })
  })

  it('names a winner only on equal levels', () => {
    const knockout = rules({ needs_winner: true })
    expect(bodyOf(scoreEntered(byLevels('9', '9', { winner: 'ns' }), knockout)!, knockout)).toMatchObject({ winner: 'ns' })
    // Chosen while the levels were equal, then one of them was changed.
    expect(bodyOf(scoreEntered(byLevels('9', '8', { winner: 'ew' }), knockout)!, knockout)).not.toHaveProperty('winner')
  })

  it('are the boards alone where boards make the levels: the server counts them, too', () => {
    const score = scoreEntered(byBoards(3, 3, -1), rules())!
    expect([score.ns_level, score.ew_level]).toEqual(['8', '3'])
    expect(Object.keys(bodyOf(score, rules()))).toEqual(['boards'])
  })
})

describe('an entry', () => {
  it('shows a score as it was made', () => {
    expect(entryOf(levels('9', 'K'), rules())).toMatchObject({ by: 'levels', ns: '9', ew: 'K' })
    expect(entryOf({ ...levels('5', '2'), boards: boards(3).boards }, rules()).by).toBe('boards')
    // Whoever enters levels goes on with levels while the others enter boards.
    expect(entryOf({ ...levels('5', '2'), boards: boards(3).boards }, rules(), 'levels')).toMatchObject({ by: 'levels', ns: '5', ew: '2' })
    expect(entryOf(boards(1, 2), rules({ by: 'boards' }), 'levels').by).toBe('boards')
    expect(entryOf(boards(1, 2), rules({ by: 'boards' }))).toMatchObject({ by: 'boards', boards: boards(1, 2).boards })
  })

  it('takes boards until one side has passed A or all are played', () => {
    expect(takesBoard(byBoards(3, 3, 3, 3), rules())).toBe(true)
    expect(takesBoard(byBoards(3, 3, 3, 3, 3), rules())).toBe(false)
    expect(takesBoard(byBoards(1, 1), rules({ boards: 2 }))).toBe(false)
  })
})

describe('the rooms of a match of teams of four', () => {
  const open = tableOf({ table: 3, room: 'open' })
  const closed = tableOf({ table: 50003, match: 3, room: 'closed' })
  const me = { table: open, tables: [open, closed], my_side: 'ns', player: 1, entry: { players: ['甲', '乙'] } } as unknown as Me

  it('are chosen once, and nothing is a table before', () => {
    expect(needsRoom(me)).toBe(true)
    expect(seatedAt(me, null).table).toBeNull()
    expect(seatedAt(me, 'closed').table?.table).toBe(50003)
    expect(seatedAt({ ...me, tables: [open] }, null).table).toBe(open)
  })

  it('are known from the line-up where it names me in one of them', () => {
    const named = (room: typeof open, ns_places: number[]) => ({ ...room, line_up: { ns: ns_places.map(() => '甲'), ew: [], ns_places, ew_places: [] } })
    expect(roomByLineUp(me)).toBeNull()
    expect(roomByLineUp({ ...me, tables: [named(open, [0]), named(closed, [1])] })).toBe('closed')
    expect(roomByLineUp({ ...me, tables: [named(open, [1]), named(closed, [1])] })).toBeNull()
  })

  it('keep their answers apart', () => {
    const answered = withTable(me, { ...closed, state: 'one_sided' })
    expect(answered.tables.map((table) => table.state)).toEqual(['open', 'one_sided'])
    expect(answered.table?.state).toBe('open')
  })
})
