import { createHash } from 'node:crypto'
import type { Plugin } from 'vite'

/** Placeholder comment in every entry page, replaced by the policy (and, on the phone page, by inlined code). */
export const HEAD_MARK = '<!--head-->'

/** A CSP source expression naming exactly this inline text. */
export function sourceHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

export interface InlineSources {
  scripts?: string[]
  styles?: string[]
  /** Further hosts the page may talk to, such as the bucket that takes uploads. */
  connect?: string[]
  /** May the page show another page of ours in a frame (the console's preview of the projection)? */
  frames?: boolean
}

/**
 * The `<meta>` with the page's Content-Security-Policy: our own origin plus the named inline texts, nothing else.
 * Directives a `<meta>` cannot carry (frame-ancestors) are sent as headers by the edge.
 */
export function policyTag({ scripts = [], styles = [], connect = [], frames = false }: InlineSources = {}): string {
  const policy = [
    "default-src 'none'",
    ["script-src 'self'", ...scripts.map(sourceHash)].join(' '),
    ["style-src 'self'", ...styles.map(sourceHash)].join(' '),
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    ["connect-src 'self'", ...connect].join(' '),
    ...(frames ? ["frame-src 'self'"] : []),
    "manifest-src 'self'",
    "worker-src 'self'",
    ["form-action 'self'", ...connect].join(' '),
    "base-uri 'none'",
  ].join('; ')
  return `<meta http-equiv="Content-Security-Policy" content="${policy}">`
}

/** Presigned uploads of the console go to S3 directly, under a host name made at deployment. */
const UPLOAD_HOSTS = ['https://*.amazonaws.com', 'https://*.amazonaws.com.cn']

/** Writes the policy into the pages that load their script and style as files. */
export function strictPolicy(): Plugin {
  return {
    name: 'guanjun:strict-policy',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { path }) => {
        const policy = path.endsWith('console.html') ? policyTag({ connect: UPLOAD_HOSTS, frames: true }) : policyTag()
        return html.replace(HEAD_MARK, () => policy)
      },
    },
  }
}
