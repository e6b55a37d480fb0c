import { api, readReplies, type Schemas } from '../../shared/api'
import { lock, onForgotten, unlock, digitsOf } from './digits'

/**
 * Names of unlocked events, in this page's memory only. What the server stores of an encrypted event calls entries
 * `#12`, players `#12-1` and clubs `T-…`; every reply that shows them is read with these names in their places.
 */
type Names = Map<string, string>
const known = new Map<string, Names>()
const asked = new Map<string, number>()
const AGAIN = 15_000

const SEALED = /^(#\d+(-\d+)?|T-[A-Z2-7]{8})$/
/** Below the event, but not the event's own settings (they are sent back) nor what the server itself opens. */
const SHOWN = /^\/api\/events\/([^/?]+)\/(?!settings|entries|entry-names|imports|import-jobs|clubs|club-imports|encryption|document)/

/** What stands for the sealed words of both lists, which are the same entries locked and open. */
export function namesOf(locked: Schemas['EntryName'][], open: Schemas['EntryName'][]): Names {
  const names: Names = new Map()
  const ids = new Map(locked.map((entry) => [entry.number, entry.club]))
  for (const entry of open) {
    names.set(`#${entry.number}`, entry.name || entry.players.join(' / '))
    entry.players.forEach((name, index) => names.set(`#${entry.number}-${index + 1}`, name))
    const club = ids.get(entry.number)
    if (club && club !== entry.club) names.set(club, entry.club)
  }
  return names
}

/** The text with names where it stands for some, also in a list like `#1 / #2`. */
function named(text: string, names: Names): string {
  const whole = names.get(text)
  if (whole !== undefined) return whole
  if (!text.includes('#') || !text.includes('/')) return text
  const parts = text.split(/( ?\/ ?)/)
  return parts.every((part, index) => index % 2 === 1 || names.has(part)) ? parts.map((part) => names.get(part) ?? part).join('') : text
}

/** A reply with names in it; `missing` is told of sealed words that have none yet. */
export function withNames<T>(value: T, names: Names, missing: () => void): T {
  if (typeof value === 'string') {
    const text = named(value, names)
    if (text === value && SEALED.test(value)) missing()
    return text as T
  }
  if (Array.isArray(value)) return value.map((one: unknown) => withNames(one, names, missing)) as T
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withNames(one as unknown, names, missing)])) as T
}

const list = async (event: string, digits: string): Promise<Schemas['EntryName'][]> =>
  (await api.get('/api/events/{event_id}/entry-names', { path: { event_id: event }, headers: { 'X-Guanjun-Digits': digits } })).entries

async function load(event: string, digits: string): Promise<void> {
  asked.set(event, Date.now())
  const open = await list(event, digits)
  known.set(event, namesOf(await list(event, ''), open))
}

/** Opens an event's names with its digits. Throws ApiError digits_wrong. */
export async function openNames(event: string, digits: string): Promise<void> {
  await load(event, digits)
  unlock(event, digits)
}

/** Names are gone from the page. */
export function closeNames(event: string): void {
  lock(event)
}

/** One word of the event, with its name if the event is unlocked here. */
export const nameIn = (event: string, text: string): string => {
  const names = known.get(event)
  return names === undefined ? text : named(text, names)
}

/** Lets every reply of this page be read with the names that are open. */
export function readNames(): void {
  onForgotten((event) => known.delete(event))
  readReplies((url, body) => {
    const event = SHOWN.exec(url)?.[1]
    const names = event === undefined ? undefined : known.get(event)
    if (event === undefined || names === undefined) return body
    return withNames(body, names, () => {
      // Somebody entered since: look again, but not with every reply.
      const digits = digitsOf(event)
      if (digits === undefined || Date.now() - (asked.get(event) ?? 0) < AGAIN) return
      load(event, digits).catch(() => undefined)
    })
  })
}
