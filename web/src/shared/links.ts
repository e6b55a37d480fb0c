import { api, type Reply } from './api'
import { incompleteLink } from './problem'
import { rememberCsrfToken } from './session'

export type LinkSession = Reply<'/api/links/exchange', 'post'>

/** The event of a pretty path (`/s/{event}`, `/p/{event}`), or of `?e=` while developing; null when there is none. */
export function eventOfAddress(location: Pick<Location, 'pathname' | 'search'> = window.location): string | null {
  const inPath = /^\/[prsc]\/([^/]+)/.exec(location.pathname)
  if (inPath?.[1]) return decodeURIComponent(inPath[1])
  return new URLSearchParams(location.search).get('e')
}

/** The token in the address's fragment; it never reaches a server's log there. */
export function tokenOfAddress(location: Pick<Location, 'hash'> = window.location): string | null {
  const token = decodeURIComponent(location.hash.replace(/^#/, ''))
  return /^[\w.~-]{8,}$/.test(token) ? token : null
}

/** Takes the fragment out of the address bar, so that a photo or a shared address gives nothing away. */
export function forgetToken(): void {
  // replaceState, not pushState: a new history entry makes WeChat on iOS show its bottom bar.
  history.replaceState(history.state, '', window.location.pathname + window.location.search)
}

/**
 * Exchanges the link's token for a session of this event (a cookie, and the CSRF token kept here), then removes it
 * from the address. Gives null when the address holds no token (a reload: the cookie is there already).
 */
export async function enterByLink(): Promise<LinkSession | null> {
  const token = tokenOfAddress()
  if (token === null) {
    if (window.location.hash.length > 1) throw incompleteLink()
    return null
  }
  const session = await api.post('/api/links/exchange', { body: { token } })
  rememberCsrfToken(session.csrf_token)
  forgetToken()
  return session
}
