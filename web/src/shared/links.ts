import { api, type Schemas } from './api'
import { incompleteLink } from './problem'
import { rememberCsrfToken } from './session'

export type LinkSession = Schemas['LinkSession']

/** The event of a pretty path (`/s/{event}`, `/p/{event}`, `/e/{event}`, ...), or of `?e=` while developing; null when there is none. */
export function eventOfAddress(location: Pick<Location, 'pathname' | 'search'> = window.location): string | null {
  const inPath = /^\/[prscev]\/([^/]+)/.exec(location.pathname)
  if (inPath?.[1]) return decodeURIComponent(inPath[1])
  return new URLSearchParams(location.search).get('e')
}

/** The token in the address's fragment; it never reaches a server's log there. */
export function tokenOfAddress(location: Pick<Location, 'hash'> = window.location): string | null {
  const token = location.hash.replace(/^#/, '')
  return /^[\w.~-]{8,}$/.test(token) ? token : null
}

/** Takes the fragment out of the address bar, so that a photo or a shared address gives nothing away. */
export function forgetToken(): void {
  // replaceState, not pushState: a new history entry makes WeChat on iOS show its bottom bar.
  history.replaceState(history.state, '', window.location.pathname + window.location.search)
}

/**
 * Enters an event by its link: exchanges the token in the address for a cookie of this event, removes it from the
 * address bar, and keeps the CSRF token. Without a token (a reload) the cookie is asked for its role instead.
 * Throws ApiError: `link_incomplete` for a broken address, the server's 401 when there is no session either.
 */
export async function enterByLink(event: string): Promise<LinkSession> {
  const token = tokenOfAddress()
  if (token === null && window.location.hash.length > 1) throw incompleteLink()
  const session =
    token === null
      ? await api.get('/api/events/{event_id}/link-session', { path: { event_id: event } })
      : await api.post('/api/links/exchange', { body: { event_id: event, token } })
  rememberCsrfToken(session.csrf)
  if (token !== null) forgetToken()
  return session
}
