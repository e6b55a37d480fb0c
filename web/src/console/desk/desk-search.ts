import type { Schemas } from '../../shared/api'

export type DeskEntry = Schemas['EntryName']

/** Entries that a typed or scanned text means: number, names, club, or the last digits of a phone. */
export function findAtDesk(entries: DeskEntry[], typed: string): DeskEntry[] {
  const words = typed.trim().toLowerCase()
  if (words === '') return entries
  const exact = entries.filter((entry) => String(entry.number) === words.replace('#', ''))
  if (exact.length > 0) return exact
  const digits = /^\d{4,11}$/.test(words) ? words.slice(-4) : null
  return entries.filter(
    (entry) =>
      [entry.name, entry.club, ...entry.players].join('\n').toLowerCase().includes(words) ||
      (digits !== null && entry.phones_masked.some((phone) => phone.endsWith(digits))),
  )
}

/**
 * What a code holds: an entry's own code is the phone page's address with its number (`/p/{event}?n=12`); anything
 * else is taken as typed. Null for an address of another event, or one that names no entry.
 */
export function scannedText(text: string, event: string): string | null {
  const words = text.trim()
  if (!/^https?:\/\//i.test(words)) return words === '' ? null : words
  const own = /^https?:\/\/[^/]+\/p\/([^/?#]+)\?(?:[^#]*&)?n=(\d{1,6})(?:[&#]|$)/i.exec(words)
  return own?.[1] !== undefined && decodeURIComponent(own[1]) === event ? (own[2] ?? null) : null
}
