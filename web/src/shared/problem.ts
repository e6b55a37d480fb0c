import { inLanguage } from './i18n/language'
import { fill } from './i18n/translate'
import zh from './i18n/zh/shared'
import en from './i18n/en/shared'

/** The server's problem document (RFC 9457), with our members. */
export interface ProblemDocument {
  type?: string
  title?: string
  status?: number
  code?: string
  detail_zh?: string
  detail_en?: string
  field?: string | null
  [member: string]: unknown
}

/**
 * Why a request failed. `status` 0 means that no answer came (`code` `network` or `timeout`); every other error
 * carries the server's stable `code`, its words in both languages, and the `field` of the body it is about.
 */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly messageZh: string
  readonly messageEn: string
  readonly field: string | null
  /** Seconds the server asks us to wait, if it said so. */
  readonly retryAfter: number | null
  /** The whole problem document, for members of one problem only (such as the current state of a conflict). */
  readonly problem: ProblemDocument

  constructor(status: number, problem: ProblemDocument, retryAfter: number | null = null) {
    const messageZh = problem.detail_zh || problem.title || `请求失败（${status}）`
    const messageEn = problem.detail_en || problem.title || `The request failed (${status})`
    super(messageEn)
    this.name = 'ApiError'
    this.status = status
    this.code = problem.code || `http_${status}`
    this.messageZh = messageZh
    this.messageEn = messageEn
    this.field = problem.field ?? null
    this.retryAfter = retryAfter
    this.problem = problem
  }

  /** The words for the reader, in the page's language. */
  get text(): string {
    return inLanguage(this.messageZh, this.messageEn)
  }

  /** Would the same request perhaps succeed a little later? */
  get temporary(): boolean {
    return isTemporary(this.status)
  }
}

/** No answer, too early, too many, or the server's own trouble. */
export function isTemporary(status: number): boolean {
  return status === 0 || status === 408 || status === 425 || status === 429 || status >= 500
}

function ownProblem(code: string, key: 'problemNetwork' | 'problemTimeout' | 'problemReply' | 'problemLink'): ProblemDocument {
  return { code, detail_zh: fill(zh[key]), detail_en: fill(en[key] ?? '') }
}

export const networkError = (): ApiError => new ApiError(0, ownProblem('network', 'problemNetwork'))
export const timeoutError = (): ApiError => new ApiError(0, ownProblem('timeout', 'problemTimeout'))
export const unreadableReply = (status: number): ApiError => new ApiError(status, ownProblem('reply', 'problemReply'))
export const incompleteLink = (): ApiError => new ApiError(400, ownProblem('link_incomplete', 'problemLink'))

/** The error a failed response stands for; bodies that are no problem documents (proxies) are tolerated. */
export async function problemOf(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null)
  const document = body !== null && typeof body === 'object' ? (body as ProblemDocument) : {}
  return new ApiError(response.status, document, retryAfterSeconds(response))
}

/** `Retry-After` in seconds; the header may hold seconds or a date. */
export function retryAfterSeconds(response: Response, now: number = Date.now()): number | null {
  const header = response.headers.get('Retry-After')
  if (!header) return null
  if (/^\s*\d+\s*$/.test(header)) return Number(header)
  const date = Date.parse(header)
  return Number.isNaN(date) ? null : Math.max(0, (date - now) / 1000)
}

/** Words for any caught value, for pages that show one line of error. */
export function errorText(error: unknown): string {
  return error instanceof ApiError ? error.text : String(error instanceof Error ? error.message : error)
}
