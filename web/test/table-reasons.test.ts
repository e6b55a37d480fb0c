import { afterEach, describe, expect, it } from 'vitest'
import { setLanguage } from '../src/shared/i18n/language'
import { byeLines, whyLines } from '../src/shared/reasons/why'

setLanguage('zh')
afterEach(() => setLanguage('zh'))

describe('the reason of a table', () => {
  const swiss = { design: 'rank_first', ranks: [3, 5], group: '6', gap: '2', seat: 'lot', passed_over: [{ entry: 4, because: 'met' }] }

  it('is said in sentences, or that somebody arranged it', () => {
    expect(whyLines(swiss)).toEqual(['名次 3 对 5', '积分不同：高的一方 6 分，相差 2 分', '跳过 4 号：已交过手', '座位：抽签'])
    expect(whyLines({ design: 'by_hand' })).toEqual(['人工调整'])
    expect(whyLines(null)).toEqual(['随存档恢复，没有记录理由'])
  })

  it('is said to players alike, in nulls where the drawing says nothing', () => {
    const told = { ...swiss, passed_over: [{ entry: [4], because: 'met' }], more_passed_over: 0, withheld: false }
    expect(whyLines(told)).toEqual(whyLines(swiss))
    const nothing = { ranks: null, group: null, gap: null, passed_over: [], more_passed_over: 0, withheld: false }
    expect(whyLines({ ...nothing, design: 'by_hand', seat: null })).toEqual(['人工调整'])
    expect(whyLines({ ...nothing, design: 'circle', seat: 'design' })).toHaveLength(1)
  })

  it('says that ranks decided where they are not public, and what the bye goes by', () => {
    const withheld = { ranks: null, group: null, gap: null, passed_over: [], more_passed_over: 0, withheld: true }
    expect(whyLines({ ...withheld, design: 'rank_first', seat: 'lot' })).toEqual(['按名次编排；名次目前不公开', '座位：抽签'])
    expect(whyLines({ ...withheld, design: 'knockout', seat: 'design' })).toEqual(['按淘汰赛对阵图'])
    expect(whyLines({ ...withheld, withheld: false, design: 'lowest_rank', seat: null })[0]).toContain('名次最靠后')
  })

  it('explains each bye as it came about, and none that a movement lays down', () => {
    expect(byeLines(['', ''])).toEqual([])
    expect(byeLines(['lowest_rank', 'lowest_rank', 'no_partner'])).toEqual([expect.stringContaining('名次最靠后'), '单人，暂时没有搭档'])
    expect(byeLines(['by_hand', 'no_partner', 'by_hand'], [9, 11, 12])).toEqual(['9·12 号：人工调整', '11 号：单人，暂时没有搭档'])
    expect(byeLines(['no_partner'], [11])).toEqual(['单人，暂时没有搭档'])
    expect(byeLines(['by_hand', 'proposal'])).toEqual(['人工调整', '无合法编排时的方案'])
    for (const design of ['no_partner', 'by_hand', 'proposal']) expect(whyLines({ design, seat: null, ranks: null })).toEqual(byeLines([design]))
  })

  it('says of sides that somebody turned round that they sit so by hand', () => {
    expect(whyLines({ ...swiss, passed_over: [], seat: 'by_hand' })).toContain('座位：人工调整')
  })

  it('speaks of no ranks before there are any', () => {
    expect(whyLines({ design: 'rank_first', ranks: [2, 1], group: '0', gap: '0', seat: 'lot' }, true)).toEqual(['首轮次序 2 对 1', '座位：抽签'])
  })

  it('has words of its own for every movement, in both languages', () => {
    const designs = ['knockout', 'round_robin', 'mitchell', 'two_lines', 'circle', 'new_partners', 'proposal']
    for (const language of ['zh', 'en'] as const) {
      setLanguage(language)
      const said = designs.map((design) => whyLines({ design, seat: 'design', rematch: false, passed_over: [] }))
      expect(new Set(said.map((lines) => lines.join())).size).toBe(designs.length)
      for (const lines of said) expect(lines).toHaveLength(1)
    }
    setLanguage('zh')
    expect(whyLines({ design: 'min_total_gap', ranks: [1, 2], group: '4', gap: '0', seat: 'fewer_ns' })).toContain('全场分差之和最小的编排')
  })

  it('names both persons who were passed over', () => {
    expect(whyLines({ ...swiss, passed_over: [{ entry: [4, 7], because: 'club' }] })).toContain('跳过 4·7 号：同一团体')
  })
})
