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
