/** 关联赛事: one code serves several events; which of them this phone chose, and where else its person is entered. */

export interface Elsewhere {
  event_id: string
  name: string
}

const CHOICE = 'guanjun:linked:'
const ELSEWHERE = 'guanjun:elsewhere:'

export const playAddress = (event: string): string => `/p/${encodeURIComponent(event)}`

function keep(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // full or refused: the person chooses again next time
  }
}

function kept(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** The code of `event` leads this phone to `chosen` from now on. */
export function rememberChoice(event: string, chosen: string): void {
  keep(CHOICE + event, chosen)
}

/** The event chosen under the code of `event`, or null. */
export const choiceOf = (event: string): string | null => kept(CHOICE + event)

/** Codes that led to `event` open their own event again. */
export function forgetChoices(event: string): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(CHOICE) && localStorage.getItem(key) === event) localStorage.removeItem(key)
    }
    localStorage.removeItem(ELSEWHERE + event)
  } catch {
    // nothing was kept then
  }
}

/** The other linked events in which the person of `event` was found. */
export function rememberElsewhere(event: string, others: Elsewhere[]): void {
  keep(ELSEWHERE + event, JSON.stringify(others.filter((one) => one.event_id !== event)))
}

export function elsewhere(event: string): Elsewhere[] {
  try {
    const found = JSON.parse(kept(ELSEWHERE + event) ?? '[]') as Elsewhere[]
    return Array.isArray(found) ? found.filter((one) => typeof one?.event_id === 'string' && typeof one.name === 'string') : []
  } catch {
    return []
  }
}

/** The events of what a search found, each once, in their order. */
export function eventsOf(found: { event_id: string; event_name: string }[]): Elsewhere[] {
  const seen = new Map<string, Elsewhere>()
  for (const one of found) if (!seen.has(one.event_id)) seen.set(one.event_id, { event_id: one.event_id, name: one.event_name })
  return [...seen.values()]
}
