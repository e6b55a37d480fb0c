import { afterEach, describe, expect, it } from 'vitest'
import { nextTick } from 'vue'
import { setLanguage } from '../src/shared/i18n/language'
import { t } from '../src/shared/i18n/shared'
import { fill } from '../src/shared/i18n/translate'

const zh = import.meta.glob<{ default: Record<string, string> }>('../src/shared/i18n/zh/*.ts', { eager: true })
const en = import.meta.glob<{ default: Record<string, string> }>('../src/shared/i18n/en/*.ts', { eager: true })

const pages = Object.keys(zh).map((path) => path.replace(/^.*\/([\w-]+)\.ts$/, '$1'))
const catalogue = (files: typeof zh, language: string, page: string): Record<string, string> =>
  files[`../src/shared/i18n/${language}/${page}.ts`]?.default ?? {}
const places = (message: string): string[] =>
  [...new Set(Array.from(message.matchAll(/\{(\w+)/g), (match) => match[1] ?? ''))].sort()

afterEach(() => setLanguage('zh'))

describe.each(pages)('the catalogue of %s', (page) => {
  const chinese = catalogue(zh, 'zh', page)
  const english = catalogue(en, 'en', page)

  it('has the same messages with the same places in both languages', () => {
    const shape = (messages: Record<string, string>): Record<string, string[]> =>
      Object.fromEntries(Object.entries(messages).map(([key, message]) => [key, places(message)]))
    expect(shape(english)).toEqual(shape(chinese))
  })

  it('has no Chinese left in the English one, but for the names of languages', () => {
    const left = Object.entries(english).filter(([key, text]) => key !== 'otherLanguage' && /[\u4e00-\u9fff]/.test(text))
    expect(left).toEqual([])
  })
})

describe('t', () => {
  it('follows the language at once and tells the document', async () => {
    setLanguage('zh')
    expect(t('roundOf', { round: 2, rounds: 5 })).toBe('第 2/5 轮')
    setLanguage('en')
    await nextTick()
    expect(t('roundOf', { round: 2, rounds: 5 })).toBe('Round 2 of 5')
    expect(document.documentElement.lang).toBe('en')
    expect(localStorage.getItem('guanjun:language')).toBe('en')
  })

  it('chooses the word for one or many', () => {
    expect(fill('{n} {n|team|teams}', { n: 1 })).toBe('1 team')
    expect(fill('{n} {n|team|teams}', { n: 0 })).toBe('0 teams')
  })
})
