import { beforeEach, expect, it, vi } from 'vitest'
import { enterByLink, eventOfAddress, tokenOfAddress } from '../src/shared/links'
import { csrfToken, rememberCsrfToken } from '../src/shared/session'

beforeEach(() => {
  rememberCsrfToken(null)
  history.replaceState(null, '', '/s/e1')
})

it('finds the event in a pretty path or in ?e=', () => {
  expect(eventOfAddress({ pathname: '/s/abc123', search: '' })).toBe('abc123')
  expect(eventOfAddress({ pathname: '/p/abc123/7', search: '?e=other' })).toBe('abc123')
  expect(eventOfAddress({ pathname: '/screen.html', search: '?e=dev' })).toBe('dev')
  expect(eventOfAddress({ pathname: '/screen.html', search: '' })).toBeNull()
})

it('takes only what can be a token from the fragment', () => {
  expect(tokenOfAddress({ hash: '#Ab-9_x~y.z' })).toBe('Ab-9_x~y.z')
  expect(tokenOfAddress({ hash: '#' })).toBeNull()
  expect(tokenOfAddress({ hash: '#<script>' })).toBeNull()
  expect(tokenOfAddress({ hash: '#%E0%A4' })).toBeNull()
})

it('exchanges the token, keeps the CSRF token and clears the address bar', async () => {
  const fetch = vi.fn((_url: string, _init: RequestInit) => Promise.resolve(new Response('{"event_id":"e1","role":"display","csrf":"c1"}')))
  vi.stubGlobal('fetch', fetch)
  history.replaceState(null, '', '/s/e1#token-of-the-link')
  await enterByLink('e1')
  expect(JSON.parse(String(fetch.mock.calls[0]?.[1].body))).toEqual({ event_id: 'e1', token: 'token-of-the-link' })
  expect(csrfToken()).toBe('c1')
  expect(location.hash).toBe('')
  expect(location.pathname).toBe('/s/e1')
})

it('keeps the token in the address when the exchange failed, so that a reload tries again', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')))
  history.replaceState(null, '', '/s/e1#token-of-the-link')
  await expect(enterByLink('e1')).rejects.toMatchObject({ code: 'network' })
  expect(location.hash).toBe('#token-of-the-link')
})

it('asks the cookie for its role when the address holds no token', async () => {
  const fetch = vi.fn((_url: string, _init: RequestInit) =>
    Promise.resolve(new Response('{"event_id":"e1","role":"referee","csrf":"c2"}')),
  )
  vi.stubGlobal('fetch', fetch)
  expect(await enterByLink('e1')).toMatchObject({ role: 'referee' })
  expect(fetch.mock.calls[0]?.[0]).toBe('/api/events/e1/link-session')
  expect(csrfToken()).toBe('c2')
})

it('says so when the token in the address is broken', async () => {
  history.replaceState(null, '', '/s/e1#ab')
  await expect(enterByLink('e1')).rejects.toMatchObject({ code: 'link_incomplete' })
})
