const STORED = 'guanjun:csrf'

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
