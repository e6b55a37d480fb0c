const STORED = 'guanjun:csrf'

/** For whom a page speaks: one browser may hold the cookies of an account, of a link and of a player at once. */
export type Speaker = 'account' | 'link' | 'player'

let speaker: Speaker | null = null

/** Says once, when a page starts, for whom all its requests speak. */
export function speakAs(who: Speaker): void {
  speaker = who
}

/** The header that tells the server which of the browser's cookies this page means; empty before `speakAs`. */
export function speakerHeader(): Record<string, string> {
  return speaker === null ? {} : { 'X-Guanjun-As': speaker }
}

let token: string | null = null

function stored(): string | null {
  try {
    return sessionStorage.getItem(STORED)
  } catch {
    return null
  }
}

/** Keeps the CSRF token that came with the session (sign-in, link exchange, "who am I"); null forgets it. */
export function rememberCsrfToken(next: string | null): void {
  token = next
  try {
    if (next === null) sessionStorage.removeItem(STORED)
    else sessionStorage.setItem(STORED, next)
  } catch {
    // memory is enough until the page is reloaded
  }
}

/** The token every state-changing request carries as `X-CSRF-Token`, or null before there is a session. */
export function csrfToken(): string | null {
  if (token === null) token = stored()
  return token
}
