import { beforeEach, describe, expect, it, vi } from 'vitest'
import { address, api, ApiError, forgetReads } from '../src/shared/api'
import { retryAfterSeconds } from '../src/shared/problem'
import { setLanguage } from '../src/shared/i18n/language'
import { rememberCsrfToken } from '../src/shared/session'

type Fetch = (url: string, init: RequestInit) => Promise<Response>

function answerWith(...answers: (Response | Error)[]): ReturnType<typeof vi.fn<Fetch>> {
  const fetch = vi.fn<Fetch>(() => {
    const answer = answers.shift() ?? new Response('{}')
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
  })
  vi.stubGlobal('fetch', fetch)
  return fetch
}

const headersOf = (fetch: ReturnType<typeof vi.fn<Fetch>>, call: number): Headers =>
  new Headers(fetch.mock.calls[call]?.[1].headers)

beforeEach(() => {
  forgetReads()
  rememberCsrfToken(null)
  delete window.earlyRequests
})

describe('addresses', () => {
  it('fills and encodes path names and leaves out what is undefined in the query', () => {
    expect(address('/api/events/{event}/tables/{n}', { event: 'a/b', n: 3 }, { q: '甲 乙', page: undefined })).toBe(
      '/api/events/a%2Fb/tables/3?q=%E7%94%B2+%E4%B9%99',
    )
  })
})

describe('reading', () => {
  it('asks with the last ETag and gives the kept body on 304', async () => {
    const fetch = answerWith(
      new Response('{"now":1}', { headers: { ETag: '"a"' } }),
      new Response(null, { status: 304 }),
    )
    expect(await api.get('/api/time')).toEqual({ now: 1 })
    expect(await api.get('/api/time')).toEqual({ now: 1 })
    expect(headersOf(fetch, 0).get('If-None-Match')).toBeNull()
    expect(headersOf(fetch, 1).get('If-None-Match')).toBe('"a"')
  })

  it('uses the request the page began in its head, once, and asks itself when that one failed', async () => {
    const fetch = answerWith(new Response('{"now":2}'), new Response('{"now":3}'))
    window.earlyRequests = { '/api/time': Promise.resolve(new Response('{"now":1}')) }
    expect(await api.get('/api/time')).toEqual({ now: 1 })
    expect(await api.get('/api/time')).toEqual({ now: 2 })
    window.earlyRequests = { '/api/time': Promise.reject(new TypeError('offline')) }
    expect(await api.get('/api/time')).toEqual({ now: 3 })
    expect(fetch).toHaveBeenCalledTimes(2)
  })
})

describe('writing', () => {
  it('sends the CSRF token and an idempotency key of its own, or the one it is given', async () => {
    const fetch = answerWith()
    rememberCsrfToken('secret')
    const call = { body: { event_id: 'e1', token: 'abcdefgh' } }
    await api.post('/api/links/exchange', call)
    await api.post('/api/links/exchange', call)
    await api.post('/api/links/exchange', { ...call, idempotencyKey: 'mine' })
    const keys = [0, 1, 2].map((n) => headersOf(fetch, n).get('Idempotency-Key'))
    expect(headersOf(fetch, 0).get('X-CSRF-Token')).toBe('secret')
    expect(keys[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(keys[1]).not.toBe(keys[0])
    expect(keys[2]).toBe('mine')
  })
})

describe('failures', () => {
  it('turns a problem document into words of the page’s language, with code and field', async () => {
    const problem = { status: 422, code: 'phone_invalid', detail_zh: '手机号应为11位', detail_en: 'Give 11 digits', field: 'phone' }
    answerWith(new Response(JSON.stringify(problem), { status: 422 }))
    const error = await api.get('/api/time').catch((reason: unknown) => reason as ApiError)
    expect(error).toMatchObject({ status: 422, code: 'phone_invalid', field: 'phone', temporary: false })
    setLanguage('zh')
    expect((error as ApiError).text).toBe('手机号应为11位')
    setLanguage('en')
    expect((error as ApiError).text).toBe('Give 11 digits')
  })

  it('tolerates an error page that is no problem document', async () => {
    answerWith(new Response('<html>Bad gateway</html>', { status: 502 }))
    const error = await api.get('/api/time').catch((reason: unknown) => reason)
    expect(error).toMatchObject({ status: 502, code: 'http_502', temporary: true })
  })

  it('says when no answer came', async () => {
    answerWith(new TypeError('failed to fetch'))
    await expect(api.get('/api/time')).rejects.toMatchObject({ status: 0, code: 'network', temporary: true })
  })

  it('gives up after the given time', async () => {
    vi.stubGlobal('fetch', (_url: string, init: RequestInit) =>
      new Promise((_resolve, reject) => init.signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')))))
    await expect(api.get('/api/time', { timeout: 1 })).rejects.toMatchObject({ code: 'timeout' })
  })

  it('reads Retry-After as seconds or as a date', () => {
    const reply = (value: string): Response => new Response('', { headers: { 'Retry-After': value } })
    const now = Date.parse('2026-01-01T00:00:00Z')
    expect(retryAfterSeconds(reply('7'), now)).toBe(7)
    expect(retryAfterSeconds(reply('Thu, 01 Jan 2026 00:00:30 GMT'), now)).toBe(30)
    expect(retryAfterSeconds(reply('soon'), now)).toBeNull()
    expect(retryAfterSeconds(new Response(''), now)).toBeNull()
  })
})
