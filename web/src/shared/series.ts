import type { Schemas } from './api'

/** The phone page keeps under this name who its person is in an event (`play/remembered.ts`). */
const keyOf = (event: string): string => `guanjun:me:${event}`

function isKnown(event: string): boolean {
  try {
    return localStorage.getItem(keyOf(event)) !== null
  } catch {
    return false
  }
}

/**
 * Where the person of this phone plays now: the latest stage in which it has identified, as long as that is not over.
 * Null for a phone that nobody has identified with.
 */
export function mineOf(stages: Schemas['PublicStage'][], known: (event: string) => boolean = isKnown): Schemas['PublicStageEvent'] | null {
  for (const stage of [...stages].reverse()) {
    const found = stage.events.find((one) => known(one.event_id))
    if (found) return found.state === 'ended' ? null : found
  }
  return null
}
