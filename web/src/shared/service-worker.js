// The phone page without a network: the page itself is kept and shown at once, a newer one is fetched behind it and
// serves the next visit. Data and everything that is no part of the page goes to the network untouched.
// The build fills in the version: any change of the page installs a new worker and drops the old copy.
const SHELL = 'guanjun-page-__VERSION__'
const PAGE = '/play.html'
// Files of the page that are fetched when they are needed; the build fills them in.
const PARTS = ['__PARTS__']

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(SHELL)
      .then((cache) => cache.addAll([new Request(PAGE, { cache: 'no-cache' }), ...PARTS]))
      .then(() => self.skipWaiting()),
  )
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== SHELL).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  )
})

function refreshed() {
  return fetch(PAGE, { cache: 'no-cache' }).then((response) => {
    if (response.ok) {
      const copy = response.clone()
      caches.open(SHELL).then((cache) => cache.put(PAGE, copy))
    }
    return response
  })
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const path = new URL(request.url).pathname
  if (PARTS.includes(path)) {
    event.respondWith(caches.match(path).then((kept) => kept || fetch(request)))
    return
  }
  if (request.mode !== 'navigate' || !(path === PAGE || path === '/p' || path.startsWith('/p/'))) return
  event.respondWith(
    caches.match(PAGE).then((kept) => {
      const fresh = refreshed()
      if (!kept) return fresh
      event.waitUntil(fresh.catch(() => undefined))
      return kept
    }),
  )
})
