import { randomId } from './identifiers'
import { ApiError, networkError, problemOf, timeoutError, unreadableReply } from './problem'
import type { components, paths } from './schema'
import { csrfToken, speakerHeader } from './session'

export { ApiError } from './problem'

export type Schemas = components extends { schemas: infer S } ? S : never

type Method = 'get' | 'post' | 'put' | 'delete' | 'patch'

/** The operation of a path and method as openapi-typescript writes it, or never. */
type Operation<P extends keyof paths, M extends Method> = M extends keyof paths[P]
  ? Exclude<paths[P][M], undefined>
  : never

/** The paths that have this method. */
export type PathsWith<M extends Method> = {
  [P in keyof paths]: [Operation<P, M>] extends [never] ? never : P
}[keyof paths] &
  string

type JsonOf<R> = R extends { content: { 'application/json': infer Body } } ? Body : undefined
type RepliesOf<O> = O extends { responses: infer R } ? R : never

/** What a successful call of the operation gives back. */
export type Reply<P extends keyof paths, M extends Method> = {
  [S in keyof RepliesOf<Operation<P, M>>]: S extends 200 | 201 | 202 | 204
    ? JsonOf<RepliesOf<Operation<P, M>>[S]>
    : never
}[keyof RepliesOf<Operation<P, M>>]

/** The body the operation takes. */
export type Body<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { requestBody?: infer R }
    ? Exclude<R, undefined> extends { content: { 'application/json': infer B } }
      ? B
      : undefined
    : undefined

type ParameterOf<O, Kind extends string> = O extends { parameters: infer Q }
  ? Kind extends keyof Q
    ? Exclude<Q[Kind], undefined>
    : never
  : never

/** Required when the operation has such a part, absent when it has none. */
type Part<Name extends string, T> = [T] extends [never]
  ? { [N in Name]?: undefined }
  : [T] extends [undefined]
    ? { [N in Name]?: undefined }
    : Record<string, never> extends T
      ? { [N in Name]?: T }
      : { [N in Name]: T }

type Options<P extends keyof paths, M extends Method> = Part<'path', ParameterOf<Operation<P, M>, 'path'>> &
  Part<'query', ParameterOf<Operation<P, M>, 'query'>> &
  (M extends 'get' ? unknown : Part<'body', Body<P, M>>) & {
    /** Milliseconds until the call is given up; 10 s unless said otherwise. */
    timeout?: number
    signal?: AbortSignal
    /** Beside those that every call carries. */
    headers?: Record<string, string>
    /** One per intent of a person; made anew when left out. Pass your own to repeat a failed call safely. */
    idempotencyKey?: string
  }

/** The options may be left out when nothing in them is required. */
type Arguments<O> = Record<string, never> extends { [K in keyof O as undefined extends O[K] ? never : K]: O[K] }
  ? [options?: O]
  : [options: O]

interface AnyOptions {
  path?: Record<string, unknown> | undefined
  query?: Record<string, unknown> | undefined
  body?: unknown
  timeout?: number
  signal?: AbortSignal
  headers?: Record<string, string>
  idempotencyKey?: string
}

const TIMEOUT = 10_000
const MOST_CACHED = 200

/** Requests the phone page started in `<head>`, by address; each is used once. */
declare global {
  interface Window {
    earlyRequests?: Record<string, Promise<Response> | undefined>
  }
}

/** Last good bodies by address, asked for again with their ETag. */
const cache = new Map<string, { tag: string; body: unknown }>()

/** Fills `{names}` of a path template and adds the query; undefined query values are left out. */
export function address(
  template: string,
  path: Record<string, unknown> = {},
  query: Record<string, unknown> = {},
): string {
  const filled = template.replace(/\{(\w+)\}/g, (_place, name: string) => encodeURIComponent(String(path[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.append(name, String(value))
  }
  const text = search.toString()
  return text ? `${filled}?${text}` : filled
}

let added: (url: string) => Record<string, string> = () => ({})

/** Headers that a page adds to its calls, by address. */
export function addHeaders(headers: (url: string) => Record<string, string>): void {
  added = headers
}

let readAs: (url: string, body: unknown) => unknown = (_url, body) => body

/** How a page reads replies, by address; what is kept for their ETags stays as it came. */
export function readReplies(change: (url: string, body: unknown) => unknown): void {
  readAs = change
}

/** Headers of a state-changing request. */
export function writeHeaders(idempotencyKey: string): Record<string, string> {
  const headers: Record<string, string> = { 'Idempotency-Key': idempotencyKey, ...speakerHeader() }
  const token = csrfToken()
  if (token !== null) headers['X-CSRF-Token'] = token
  return headers
}

async function call(
  url: string,
  init: RequestInit,
  { timeout = TIMEOUT, signal }: Pick<AnyOptions, 'timeout' | 'signal'>,
): Promise<Response> {
  const controller = new AbortController()
  let late = false
  const timer = setTimeout(() => {
    late = true
    controller.abort()
  }, timeout)
  const abort = (): void => controller.abort()
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  try {
    return await fetch(url, { credentials: 'same-origin', ...init, signal: controller.signal })
  } catch (error) {
    if (signal?.aborted) throw error // the caller changed its mind: not a failure to report
    throw late ? timeoutError() : networkError()
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

async function bodyOf(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined
  try {
    return await response.json()
  } catch {
    throw unreadableReply(response.status)
  }
}

function takeEarly(url: string): Promise<Response | null> {
  const early = window.earlyRequests?.[url]
  if (!early) return Promise.resolve(null)
  delete window.earlyRequests?.[url]
  return early.catch(() => null) // failed in the head: ask again in the usual way
}

async function read(template: string, options: AnyOptions): Promise<unknown> {
  const url = address(template, options.path, options.query)
  const known = cache.get(url)
  const headers: Record<string, string> = { Accept: 'application/json', ...speakerHeader(), ...added(url), ...options.headers }
  if (known) headers['If-None-Match'] = known.tag
  const response = (await takeEarly(url)) ?? (await call(url, { headers }, options))
  if (response.status === 304 && known) return readAs(url, known.body)
  if (!response.ok) throw await problemOf(response)
  const body = await bodyOf(response)
  const tag = response.headers.get('ETag')
  cache.delete(url)
  if (tag) cache.set(url, { tag, body })
  const oldest = cache.keys().next()
  if (cache.size > MOST_CACHED && !oldest.done) cache.delete(oldest.value)
  return readAs(url, body)
}

async function write(method: string, template: string, options: AnyOptions): Promise<unknown> {
  const url = address(template, options.path, options.query)
  const headers: Record<string, string> = {
    Accept: 'application/json',
    ...writeHeaders(options.idempotencyKey ?? randomId()),
    ...added(url),
    ...options.headers,
  }
  const init: RequestInit = { method, headers }
  if (options.body !== undefined) {
    headers['Content-Type'] = 'application/json'
    init.body = JSON.stringify(options.body)
  }
  const response = await call(url, init, options)
  if (!response.ok) throw await problemOf(response)
  return readAs(url, await bodyOf(response))
}

/** Forgets everything read, for sign-out and "not me". */
export function forgetReads(): void {
  cache.clear()
}

/**
 * The typed client. Every call is checked against the OpenAPI document: path, parameters, body, reply.
 * All methods throw `ApiError`; an aborted `signal` rejects with the browser's own AbortError.
 */
export const api = {
  get<P extends PathsWith<'get'>>(path: P, ...[options]: Arguments<Options<P, 'get'>>): Promise<Reply<P, 'get'>> {
    return read(path, (options ?? {}) as AnyOptions) as Promise<Reply<P, 'get'>>
  },
  post<P extends PathsWith<'post'>>(path: P, ...[options]: Arguments<Options<P, 'post'>>): Promise<Reply<P, 'post'>> {
    return write('POST', path, (options ?? {}) as AnyOptions) as Promise<Reply<P, 'post'>>
  },
  put<P extends PathsWith<'put'>>(path: P, ...[options]: Arguments<Options<P, 'put'>>): Promise<Reply<P, 'put'>> {
    return write('PUT', path, (options ?? {}) as AnyOptions) as Promise<Reply<P, 'put'>>
  },
  patch<P extends PathsWith<'patch'>>(path: P, ...[options]: Arguments<Options<P, 'patch'>>): Promise<Reply<P, 'patch'>> {
    return write('PATCH', path, (options ?? {}) as AnyOptions) as Promise<Reply<P, 'patch'>>
  },
  delete<P extends PathsWith<'delete'>>(
    path: P,
    ...[options]: Arguments<Options<P, 'delete'>>
  ): Promise<Reply<P, 'delete'>> {
    return write('DELETE', path, (options ?? {}) as AnyOptions) as Promise<Reply<P, 'delete'>>
  },
}

/** Is this a failure of the given code (`'version_conflict'`), with its problem document at hand? */
export function isProblem(error: unknown, code: string): error is ApiError {
  return error instanceof ApiError && error.code === code
}
