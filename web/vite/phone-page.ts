import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin, Rolldown } from 'vite'
import { HEAD_MARK, policyTag, sourceHash } from './content-security-policy.ts'

const MODULE_SCRIPT = /<script type="module"[^>]*src="\/([^"]+)"[^>]*><\/script>/g
const STYLESHEET = /<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/g

function sourceFile(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../src/${path}`, import.meta.url)), 'utf8')
}

/** Comments and indentation would ride along to every phone; the file is small enough to strip by line. */
function withoutComments(script: string): string {
  return script
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//'))
    .join('\n')
}

/**
 * The phone page as one HTML file. A page opened from a QR code is bound by round trips: script and style are
 * inlined (and hashed in the policy), and the first requests for data leave from `<head>` before the script is
 * even parsed. The service worker gets the version of exactly this page.
 */
export function phonePage(): Plugin {
  return {
    name: 'guanjun:phone-page',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const early = withoutComments(sourceFile('play/early.js'))
      for (const file of Object.values(bundle)) {
        if (file.type !== 'asset' || !file.fileName.endsWith('.html')) continue
        const { html, script, style } = takeInline(String(file.source), bundle)
        const policy = policyTag({ scripts: [early, script], styles: [style] })
        file.source = html
          .replace(HEAD_MARK, () => `${policy}<script>${early}</script><style>${style}</style>`)
          .replace('</body>', () => `<script type="module">${script}</script></body>`)
        this.emitFile({ type: 'asset', fileName: 'sw.js', source: serviceWorker(sourceHash(String(file.source))) })
      }
    },
  }
}

function takeInline(html: string, bundle: Rolldown.OutputBundle): { html: string; script: string; style: string } {
  let script = ''
  let style = ''
  const rest = html
    .replace(MODULE_SCRIPT, (_tag, path: string) => {
      const chunk = bundle[path]
      if (chunk?.type !== 'chunk') throw new Error(`The phone page names ${path}, which is not in the bundle`)
      script += chunk.code.replace(/<\/script/g, '<\\/script')
      delete bundle[path]
      return ''
    })
    .replace(STYLESHEET, (_tag, path: string) => {
      const sheet = bundle[path]
      if (sheet?.type !== 'asset') throw new Error(`The phone page names ${path}, which is not in the bundle`)
      style += String(sheet.source)
      delete bundle[path]
      return ''
    })
  const left = Object.values(bundle).filter((file) => file.type === 'chunk')
  if (left.length > 0) {
    throw new Error(`The phone page must be one chunk; also made: ${left.map((file) => file.fileName).join(', ')}`)
  }
  return { html: rest, script, style }
}

function serviceWorker(pageHash: string): string {
  const version = pageHash.replace(/[^A-Za-z0-9]/g, '').slice(6, 18)
  return sourceFile('shared/service-worker.js').replace('__VERSION__', version)
}
