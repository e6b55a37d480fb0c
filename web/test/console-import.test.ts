import { describe, expect, it } from 'vitest'
import { changedCells, joined } from '../src/console/entries/import-file'

const rows = [
  { row: 2, cells: [{ column: 1, text: '海风' }, { column: 3, text: '1380013' }] },
  { row: 5, cells: [{ column: 1, text: '' }] },
]

describe('cells put right in the preview', () => {
  it('are those in which something else stands than in the file', () => {
    expect(changedCells(rows, {})).toEqual([])
    expect(changedCells(rows, { '2:3': '13800130101', '2:1': '海风', '5:1': '海浪', '9:9': 'nowhere' })).toEqual([
      { row: 2, column: 3, text: '13800130101' },
      { row: 5, column: 1, text: '海浪' },
    ])
  })

  it('may empty a cell', () => {
    expect(changedCells(rows, { '2:1': '' })).toEqual([{ row: 2, column: 1, text: '' }])
  })

  it('add up over several checks, the last word for a cell holding', () => {
    const first = [{ row: 2, column: 3, text: '1' }, { row: 5, column: 1, text: '海浪' }]
    expect(joined(first, [{ row: 2, column: 3, text: '13800130101' }])).toEqual([
      { row: 5, column: 1, text: '海浪' },
      { row: 2, column: 3, text: '13800130101' },
    ])
  })
})
