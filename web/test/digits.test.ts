import { beforeEach, describe, expect, it } from 'vitest'
import { digitsHeader, generateDigits, inGroups, lock, onlyDigits, unlock } from '../src/console/privacy/digits'

describe('digits of an encrypted event', () => {
  beforeEach(() => lock('one'))

  it('are twelve, and other ones each time', () => {
    const made = new Set(Array.from({ length: 200 }, generateDigits))
    expect(made.size).toBe(200)
    for (const digits of made) expect(digits).toMatch(/^\d{12}$/)
  })

  it('use every digit about equally often', () => {
    const counts = new Map<string, number>()
    for (const digit of Array.from({ length: 2000 }, generateDigits).join('')) counts.set(digit, (counts.get(digit) ?? 0) + 1)
    expect(counts.size).toBe(10)
    for (const count of counts.values()) expect(Math.abs(count - 2400)).toBeLessThan(300)
  })

  it('read in groups and are typed with gaps', () => {
    expect(inGroups('123456789012')).toBe('1234 5678 9012')
    expect(onlyDigits(' 1234-5678 9012 ')).toBe('123456789012')
  })

  it('go with requests about their own event only, until it is locked', () => {
    unlock('one', '123456789012')
    expect(digitsHeader('/api/events/one/entries')).toEqual({ 'X-Guanjun-Digits': '123456789012' })
    expect(digitsHeader('/api/events/one')).toEqual({ 'X-Guanjun-Digits': '123456789012' })
    expect(digitsHeader('/api/events/other/entries')).toEqual({})
    expect(digitsHeader('/api/events')).toEqual({})
    lock('one')
    expect(digitsHeader('/api/events/one/entries')).toEqual({})
  })
})
