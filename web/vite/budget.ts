import { brotliCompressSync } from 'node:zlib'
import type { Plugin, Rolldown } from 'vite'

/**
 * Fails the build when a page's first load (its HTML, and the scripts and styles it names, with what those import
 * statically) is larger than the given kilobytes after brotli. `limits` is keyed by page.
 */
export function budget(limits: Readonly<Record<string, number>>): Plugin {
  return {
    name: 'guanjun:budget',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const [page, limit] of Object.entries(limits)) {
          const html = bundle[page]
          if (html?.type !== 'asset') continue
          const size = firstLoad(String(html.source), bundle).reduce((sum, text) => sum + compressed(text), 0) / 1024
          if (size > limit) this.error(`${page} needs ${size.toFixed(1)} KB for its first load, allowed are ${limit} KB`)
        }
      },
    },
  }
}

function compressed(text: string): number {
  return brotliCompressSync(Buffer.from(text)).length
}

function firstLoad(html: string, bundle: Rolldown.OutputBundle): string[] {
  const named = Array.from(html.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g), (match) => match[1] ?? '')
  const all = new Set<string>()
  const add = (name: string): void => {
    const file = bundle[name]
    if (!file || all.has(name)) return
    all.add(name)
    if (file.type === 'chunk') file.imports.forEach(add)
  }
  named.forEach(add)
  const texts = [...all].map((name) => {
    const file = bundle[name]
    return file?.type === 'chunk' ? file.code : String(file?.source ?? '')
  })
  return [html, ...texts]
}
