import { beforeEach, describe, expect, it } from 'vitest'
import { language } from '../src/shared/i18n/language'
import { countedWords } from '../src/shared/standings/counted-words'

describe('how far a ranking has come', () => {
  beforeEach(() => {
    language.value = 'zh'
  })

  it('says neither that a round is over while it is in play nor that one counts of which nothing is known', () => {
    expect(countedWords({ round: 0 })).toBe('第 1 轮之前')
    expect(countedWords({ round: 1, counts: 'nothing' })).toBe('第 1 轮之前')
    expect(countedWords({ round: 1, counts: 'part' })).toBe('第 1 轮进行中')
    expect(countedWords({ round: 1, counts: 'all' })).toBe('截至第 1 轮')
    expect(countedWords({ round: 2, counts: 'nothing' })).toBe('截至第 1 轮')
    expect(countedWords({ round: 2, counts: 'part' })).toBe('第 2 轮进行中')
    expect(countedWords({ round: 2 })).toBe('截至第 2 轮')
  })

  it('says it in English', () => {
    language.value = 'en'
    expect(countedWords({ round: 0 })).toBe('Before round 1')
    expect(countedWords({ round: 2, counts: 'nothing' })).toBe('After round 1')
    expect(countedWords({ round: 2, counts: 'part' })).toBe('Round 2 in play')
    expect(countedWords({ round: 2, counts: 'all' })).toBe('After round 2')
  })
})
