import { describe, expect, it } from 'vitest'
import { namesOf, withNames } from '../src/console/privacy/names'

const entry = (number: number, name: string, club: string, players: string[]) => ({
  number,
  name,
  club,
  players,
  phones_masked: players.map(() => ''),
  state: 'in',
  checked_in_at: null,
  checked_in_by: null,
})
const names = namesOf(
  [entry(1, '#1', 'T-ABCDEFGH', ['#1-1', '#1-2']), entry(2, '#2', '', ['#2-1'])],
  [entry(1, '海风', '市南', ['甲', '乙']), entry(2, '', '', ['丙'])],
)
const none = (): void => {
  throw new Error('every word has a name')
}

describe('names of an unlocked event', () => {
  it('take the place of numbers and opaque ids wherever they stand in a reply', () => {
    const reply = { rows: [{ number: 1, name: '#1', club: 'T-ABCDEFGH', players: ['#1-1', '#1-2'], rank: 1 }], version: 3 }
    expect(withNames(reply, names, none)).toEqual({
      rows: [{ number: 1, name: '海风', club: '市南', players: ['甲', '乙'], rank: 1 }],
      version: 3,
    })
    expect(reply.rows[0]?.name).toBe('#1')
  })

  it('are found in a list of several, and an entry without a name is called by its players', () => {
    expect(withNames(['#1 / #2', '#2-1/#1-1'], names, none)).toEqual(['海风 / 丙', '丙/甲'])
  })

  it('leave every other text as it is', () => {
    const words = ['#12 号桌', '# 规则', '1/2', '#1 / 丁', null, true, 4.5]
    expect(withNames(words, names, none)).toEqual(words)
  })

  it('are asked for again when somebody entered since', () => {
    let missing = 0
    expect(withNames(['#3', 'T-ZZZZZZZZ', '#1'], names, () => (missing += 1))).toEqual(['#3', 'T-ZZZZZZZZ', '海风'])
    expect(missing).toBe(2)
  })
})
