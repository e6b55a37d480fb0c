import { computed, ref, shallowRef } from 'vue'
import { api, ApiError, forgetReads, type Schemas } from '../../shared/api'
import { rememberCsrfToken } from '../../shared/session'

/** Who is signed in; null before it is known and after signing out. */
export const account = shallowRef<Schemas['AccountView'] | null>(null)
const lost = ref(false)

/** True once the server refused a request because the session is over. */
export const sessionLost = computed(() => lost.value)

function accept(signedIn: Schemas['SignedIn']): void {
  rememberCsrfToken(signedIn.csrf)
  account.value = signedIn.account
  lost.value = false
}

function forget(): void {
  rememberCsrfToken(null)
  forgetReads()
  account.value = null
}

/** Asks the server who this browser is; leaves `account` null when it is nobody. Network trouble counts as nobody. */
export async function loadSession(): Promise<void> {
  await api.get('/api/auth/session').then(accept, forget)
}

export async function signIn(phone: string, code: string): Promise<void> {
  accept(await api.post('/api/auth/session', { body: { phone, code, device: deviceName() } }))
}

export async function signInWithPassword(phone: string, password: string): Promise<void> {
  accept(await api.post('/api/auth/password-session', { body: { phone, password, device: deviceName() } }))
}

export async function signOut(): Promise<void> {
  await api.delete('/api/auth/session')
  forget()
}

/** Tells the page that a request was refused with 401. */
export function noteRefusal(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 401) return
  forget()
  lost.value = true
}

/** A few words for the list of sessions, such as `Linux · Chrome`. */
function deviceName(): string {
  const agent = navigator.userAgent
  const system = /Windows|Android|iPhone|iPad|Mac OS|Linux/.exec(agent)?.[0] ?? ''
  const browser = /MicroMessenger|Edg|Firefox|Chrome|Safari/.exec(agent)?.[0] ?? ''
  return [system, browser].filter(Boolean).join(' · ')
}
