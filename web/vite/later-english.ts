import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const CATALOGUE = /\/i18n\/en\/([\w-]+)\.ts$/
const WHOLE = '?whole'

/**
 * Takes the English catalogues out of the phone's code: whoever imports one gets an empty one, which i18n/later.ts
 * fills when somebody reads English. Only i18n/english.ts, a file of its own, imports the real ones.
 */
export function laterEnglish(): Plugin {
  return {
    name: 'guanjun:later-english',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!importer?.endsWith('/i18n/english.ts')) return null
      const found = await this.resolve(source, importer, { skipSelf: true })
      return found && CATALOGUE.test(found.id) ? `${found.id}${WHOLE}` : found
    },
    load(id) {
      if (id.endsWith(WHOLE)) return { code: readFileSync(id.slice(0, -WHOLE.length), 'utf8'), moduleType: 'ts' }
      const name = CATALOGUE.exec(id)?.[1]
      return name ? `import { english } from '../later'\nexport default english(${JSON.stringify(name)})` : null
    },
  }
}
