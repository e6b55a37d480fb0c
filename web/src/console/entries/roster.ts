import type { Schemas } from '../../shared/api'

export type Entry = Schemas['EntryView']
export type Show = 'all' | 'absent' | 'present' | 'waiting' | 'single' | 'withdrawn'

export const SHOWS: Show[] = ['all', 'absent', 'present', 'waiting', 'single', 'withdrawn']

export function shownIn(entry: Entry, show: Show): boolean {
  if (show === 'all') return true
  if (show === 'withdrawn' || show === 'waiting' || show === 'single') return entry.state === show
  return entry.state === 'in' && (entry.checked_in_at !== null) === (show === 'present')
}

/** The team's name, else its players'. */
export function entryName(entry: Entry): string {
  return entry.name || entry.players.map((player) => player.name).join(' / ')
}

function matches(entry: Entry, words: string): boolean {
  if (/^#?\d{1,5}$/.test(words)) {
    const digits = words.replace('#', '')
    if (String(entry.number) === digits) return true
  }
  const text = [entry.name, entry.club, ...entry.players.flatMap((player) => [player.name, player.phone])]
  return text.join('\n').toLowerCase().includes(words)
}

const collator = new Intl.Collator('zh-CN', { numeric: true })

const KEYS: Record<string, (entry: Entry) => string | number> = {
  number: (entry) => entry.number,
  name: entryName,
  club: (entry) => entry.club,
  seed: (entry) => entry.seed ?? Number.MAX_SAFE_INTEGER,
  present: (entry) => entry.checked_in_at ?? Number.MAX_SAFE_INTEGER,
}

/** The entries that a search, a filter and an order (`club`, `-club`) leave, in that order. */
export function selectEntries(entries: Entry[], search: string, show: Show, order: string): Entry[] {
  const words = search.trim().toLowerCase()
  const found = entries.filter((entry) => shownIn(entry, show) && (words === '' || matches(entry, words)))
  const key = KEYS[order.replace(/^-/, '')] ?? KEYS.number
  const sign = order.startsWith('-') ? -1 : 1
  if (!key) return found
  return found.sort((a, b) => {
    const [left, right] = [key(a), key(b)]
    const compared =
      typeof left === 'number' && typeof right === 'number' ? left - right : collator.compare(String(left), String(right))
    return sign * compared || a.number - b.number
  })
}
