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

/** Everything the page needs at its start, in one chunk: the entry and all it imports statically (vite.config.ts). */
const CORE = 'phone'
/** Where the parts that are fetched later find what the core already holds: an inlined script cannot be imported. */
const SHARED = 'window.guanjunPhone'

/** How Rolldown shall cut the phone's code: the core, and a file for every page that is fetched when it is needed. */
export const phoneChunks = {
  codeSplitting: { groups: [{ name: CORE, test: /src[\\/]play[\\/]main\.ts$/ }] },
}

/**
 * The phone page as one HTML file. A page opened from a QR code is bound by round trips: script and style are
 * inlined (and hashed in the policy), and the first requests for data leave from `<head>` before the script is
 * even parsed. Pages behind the first one are files of their own, asked for while the person reads or types; the
 * service worker keeps them with the page. It gets the version of exactly this page.
 */
export function phonePage(): Plugin {
  return {
    name: 'guanjun:phone-page',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      // After Vite has written into the core which files a part brings along.
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type !== 'asset' || !file.fileName.endsWith('.html')) continue
          const { html, script, style } = takeInline(String(file.source), bundle)
          const early = withoutComments(sourceFile('play/early.js'))
            .replace("['__KNOWN__']", () => JSON.stringify(filesOf('KnownPage', bundle)))
            .replace("['__ENGLISH__']", () => JSON.stringify(filesOf('english', bundle)))
          const policy = policyTag({ scripts: [early, script], styles: [style] })
          file.source = html
            .replace(HEAD_MARK, () => `${policy}<script>${early}</script><style>${style}</style>`)
            .replace('</body>', () => `<script type="module">${script}</script></body>`)
          const parts = Object.keys(bundle).filter((name) => /\.(js|css)$/.test(name))
          const source = serviceWorker(sourceHash(String(file.source)), parts.map((name) => `/${name}`))
          this.emitFile({ type: 'asset', fileName: 'sw.js', source })
        }
      },
    },
  }
}

/** A part that is fetched later, with all it imports and its styles, as addresses. */
function filesOf(part: string, bundle: Rolldown.OutputBundle): string[] {
  const first = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === part)
  if (!first) throw new Error(`The phone page has no part ${part}`)
  const found = new Set<string>()
  const add = (name: string): void => {
    const file = bundle[name]
    if (found.has(name) || file?.type !== 'chunk') return
    found.add(name)
    file.imports.forEach(add)
    file.viteMetadata?.importedCss.forEach((sheet) => found.add(sheet))
  }
  add(first.fileName)
  return [...found].map((name) => `/${name}`)
}

function takeInline(html: string, bundle: Rolldown.OutputBundle): { html: string; script: string; style: string } {
  let style = ''
  const rest = html.replace(MODULE_SCRIPT, '').replace(STYLESHEET, (_tag, path: string) => {
    const sheet = bundle[path]
    if (sheet?.type !== 'asset') throw new Error(`The phone page names ${path}, which is not in the bundle`)
    style += String(sheet.source)
    delete bundle[path]
    return ''
  })
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const core = chunks.find((chunk) => chunk.name === CORE)
  if (!core || core.imports.length > 0) throw new Error('The phone page must start with one chunk')
  for (const chunk of chunks) if (chunk === core || chunk.isEntry) delete bundle[chunk.fileName]
  for (const chunk of chunks) chunk.code = takingFromCore(chunk.code, core.fileName)
  return { html: rest, script: givingToParts(core.code).replace(/<\/script/g, '<\\/script'), style }
}

/** `export{a as b}` at the core's end -> the same names on one object; getters, since exports are live. */
function givingToParts(code: string): string {
  const shared = code.replace(/export\s*\{([^}]*)\};?\s*$/, (_all, list: string) => {
    const getters = names(list).map(([own, out]) => `get ${out}(){return ${own}}`)
    return `${SHARED}={${getters.join(',')}};`
  })
  // Parts are named relative to the core's file, which the page has swallowed.
  return shared.replace(/import\((["'`])\.\//g, 'import($1/assets/')
}

/** `import{b as c}from"./phone-….js"` -> out of the core's object. */
function takingFromCore(code: string, core: string): string {
  const name = (core.split('/').pop() ?? core).replace(/[.$]/g, '\\$&')
  const statement = new RegExp(`import\\s*\\{([^}]*)\\}\\s*from\\s*["'\`]\\./${name}["'\`];?`, 'g')
  return code.replace(statement, (_all, list: string) => {
    return `const{${names(list).map(([out, own]) => `${out}:${own}`).join(',')}}=${SHARED};`
  })
}

/** `a as b, c` -> [['a', 'b'], ['c', 'c']]. */
function names(list: string): [string, string][] {
  return list.split(',').map((part) => {
    const [first = '', second] = part.trim().split(/\s+as\s+/)
    return [first, second ?? first]
  })
}

function serviceWorker(pageHash: string, parts: string[]): string {
  const version = pageHash.replace(/[^A-Za-z0-9]/g, '').slice(6, 18)
  return sourceFile('shared/service-worker.js')
    .replace('__VERSION__', version)
    .replace("['__PARTS__']", () => JSON.stringify(parts))
}
