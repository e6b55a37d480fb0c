import { ref, type Ref } from 'vue'
import { ApiError, type Schemas } from '../shared/api'
import { randomId } from '../shared/identifiers'

export type RegistrationPage = Schemas['RegistrationPage']
export type Registration = Schemas['RegistrationView']
export type How = 'typed' | 'invited' | 'matched'

/** One person in the form; `kept` is the masked phone that stays when nothing is typed. */
export interface Person {
  name: string
  phone: string
  kept: string
}

export const somebody = (): Person => ({ name: '', phone: '', kept: '' })

/** The persons a form begins with: those of the registration, or so many empty ones. */
export function personsOf(page: RegistrationPage, registration: Registration | null): Person[] {
  if (registration) {
    return registration.players.map((player) => ({ name: player.name, phone: '', kept: player.phone_masked }))
  }
  return Array.from({ length: page.players }, somebody)
}

/** `30` or `30.50`, of fen. */
export function yuan(fen: number): string {
  return fen % 100 === 0 ? String(fen / 100) : (fen / 100).toFixed(2)
}

/** Whether the 团体 is on the event's list; width, case and spaces make no difference. */
export function isListed(club: string, clubs: readonly string[]): boolean {
  const comparable = (text: string): string => text.normalize('NFKC').replace(/\s+/g, '').toLowerCase()
  return clubs.some((one) => comparable(one) === comparable(club))
}

const TRIES = 4
const PAUSE = 1200
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

export interface Sending {
  busy: Ref<boolean>
  /** A reply was lost or the server is busy, and the same request is sent again. */
  again: Ref<boolean>
  failure: Ref<ApiError | null>
  send: <T>(call: (idempotencyKey: string) => Promise<T>) => Promise<T | undefined>
}

/** Sends a change under one key until there is an answer: however often it is sent, it happens once. */
export function useSending(wait = pause): Sending {
  const busy = ref(false)
  const again = ref(false)
  const failure = ref<ApiError | null>(null) as Ref<ApiError | null>

  async function send<T>(call: (idempotencyKey: string) => Promise<T>): Promise<T | undefined> {
    const key = randomId()
    busy.value = true
    failure.value = null
    try {
      for (let tried = 1; ; tried += 1) {
        try {
          return await call(key)
        } catch (error) {
          if (!(error instanceof ApiError)) throw error
          if (!error.temporary || error.status === 429 || tried === TRIES) {
            failure.value = error
            return undefined
          }
          again.value = true
          await wait(PAUSE * tried)
        }
      }
    } finally {
      busy.value = false
      again.value = false
    }
  }
  return { busy, again, failure, send }
}
