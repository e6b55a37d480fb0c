import { computed, shallowReactive, type ComputedRef } from 'vue'
import { addHeaders, forgetReads } from '../../shared/api'

const LENGTH = 12
/** By event. They live as long as the page: never in storage, never in an address. */
const known = shallowReactive(new Map<string, string>())

const EVENT = /^\/api\/events\/([^/?]+)/

/** What requests about an unlocked event carry; nothing for all others. */
export function digitsHeader(url: string): Record<string, string> {
  const event = EVENT.exec(url)?.[1]
  const digits = event === undefined ? undefined : known.get(event)
  return digits === undefined ? {} : { 'X-Guanjun-Digits': digits }
}

/** Lets every request of this page carry the digits of its event, once they were typed. */
export function sendDigits(): void {
  addHeaders(digitsHeader)
}

export function unlock(event: string, digits: string): void {
  known.set(event, digits)
  forgetReads()
}

export function lock(event: string): void {
  known.delete(event)
  forgotten(event)
  forgetReads()
}

let forgotten: (event: string) => void = () => undefined
/** Told of every event whose digits this page forgets. */
export function onForgotten(tell: (event: string) => void): void {
  forgotten = tell
}

/** The digits of an unlocked event, undefined of another. */
export const digitsOf = (event: string): string | undefined => known.get(event)

export function useUnlocked(event: string): ComputedRef<boolean> {
  return computed(() => known.has(event))
}

/** Twelve random digits, each as likely as any other. */
export function generateDigits(): string {
  const digits: number[] = []
  while (digits.length < LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(LENGTH))) {
      // 250 is the largest multiple of ten in a byte: above it some digits would come up more often.
      if (byte < 250 && digits.length < LENGTH) digits.push(byte % 10)
    }
  }
  const text = digits.join('')
  return new Set(text).size < 4 ? generateDigits() : text
}

/** In groups of four, as people read and write them down. */
export const inGroups = (digits: string): string => digits.replace(/(\d{4})(?=\d)/g, '$1 ')

/** What somebody typed, without the gaps they wrote between. */
export const onlyDigits = (text: string): string => text.replace(/[\s-]/g, '')
