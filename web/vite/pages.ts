import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/**
 * Build passes: pages on phones never pay for the share of code that others have. `stage` is what
 * stands in the hall (screen, referee), the home page and the event pages.
 */
export const PASSES: Record<string, string[]> = {
  play: ['play.html'],
  register: ['register.html'],
  stage: ['index.html', 'event.html', 'ladders.html', 'ref.html', 'screen.html', 'wechat.html'],
  console: ['console.html'],
}

interface Routes {
  pages: { path: string; page: string }[]
}

/** Pretty paths: the file from which the edge's function and the local runner have them too. */
const ROUTES = JSON.parse(readFileSync(new URL('../../infra/edge/routes.json', import.meta.url), 'utf8')) as Routes

/** The page that a path stands for, or nothing. */
export function pageOf(path: string): string | undefined {
  return ROUTES.pages.find(
    ({ path: start }) => path === start || (start !== '/' && path.startsWith(`${start}/`)),
  )?.page
}

/** Pretty paths on the development server. */
export function prettyPaths(): Plugin {
  return {
    name: 'guanjun:pretty-paths',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        request.url = pageOf((request.url ?? '/').split('?')[0] ?? '/') ?? request.url
        next()
      })
    },
  }
}
