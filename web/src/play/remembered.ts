import type { Schemas } from '../shared/api'

export type Me = Schemas['Me']

interface Kept {
  me: Me
  /** Local ms when it came from the server. */
  at: number
}

/** The early requests in `<head>` look for this name, too. */
const keyOf = (event: string): string => `guanjun:me:${event}`

/** Keeps what the server last said, for a start without a network. */
export function rememberMe(event: string, me: Me, at: number): void {
  try {
    localStorage.setItem(keyOf(event), JSON.stringify({ me, at }))
  } catch {
    // full or refused: the next start needs the network
  }
}

/** What was last kept for this event on this phone, or null. */
export function rememberedMe(event: string): Kept | null {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(event)) ?? 'null') as Kept | null
    return kept !== null && typeof kept === 'object' && kept.me?.event_id === event ? kept : null
  } catch {
    return null
  }
}

/** Forgets the person on this phone ("not me"). */
export function forgetMe(event: string): void {
  try {
    localStorage.removeItem(keyOf(event))
  } catch {
    // nothing was kept then
  }
}

const SYSTEMS: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/HarmonyOS|OpenHarmony/, 'HarmonyOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
]
const BROWSERS: [RegExp, string][] = [
  [/MicroMessenger/, 'WeChat'],
  [/Edg\//, 'Edge'],
  [/Chrome\//, 'Chrome'],
  [/Firefox\//, 'Firefox'],
  [/Safari\//, 'Safari'],
]

/** System and browser in two words, so that organizers can tell the devices of an entry apart. */
export function describeDevice(agent: string = navigator.userAgent): string {
  const found = (names: [RegExp, string][]): string | undefined => names.find(([pattern]) => pattern.test(agent))?.[1]
  return [found(SYSTEMS), found(BROWSERS)].filter((word) => word !== undefined).join(' · ')
}
