import { describe, expect, it } from 'vitest'
import { MOST_LETTERS, neatName } from '../src/ref/referee-name'

describe('what a referee is called', () => {
  it('is what the server takes, however it was typed or pasted', () => {
    expect(neatName('  王\t裁判\u200b ')).toBe('王裁判')
    expect(neatName('\u202e\u0085')).toBe('')
    expect(neatName('a\ud83d')).toBe('a')
  })

  it('is never cut within a letter', () => {
    const long = '🂡'.repeat(MOST_LETTERS + 1)
    expect(neatName(long)).toBe('🂡'.repeat(MOST_LETTERS))
    expect(neatName(`${'a'.repeat(MOST_LETTERS - 1)} b`)).toBe('a'.repeat(MOST_LETTERS - 1))
  })
})
