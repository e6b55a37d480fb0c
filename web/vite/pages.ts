import type { Plugin } from 'vite'

/**
 * Three build passes, so that the phone page never pays for the console's share of the code. `stage` is what
 * stands in the hall (screen, referee) and the home page.
 */
export const PASSES: Record<string, string[]> = {
  play: ['play.html'],
  stage: ['index.html', 'ref.html', 'screen.html'],
  console: ['console.html'],
}

/** Pretty paths: the same map as the edge function's and the local runner's. */
const PRETTY: [RegExp, string][] = [
  [/^\/p(\/|$)/, '/play.html'],
  [/^\/r(\/|$)/, '/ref.html'],
  [/^\/s(\/|$)/, '/screen.html'],
  [/^\/c(\/|$)/, '/console.html'],
]

/** Pretty paths on the development server. */
export function prettyPaths(): Plugin {
  return {
    name: 'guanjun:pretty-paths',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const path = (request.url ?? '/').split('?')[0] ?? '/'
        const match = PRETTY.find(([pattern]) => pattern.test(path))
        if (match) request.url = match[1]
        next()
      })
    },
  }
}
