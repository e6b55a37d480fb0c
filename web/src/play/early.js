// Runs in <head> before anything else is loaded (ES5, inlined by the build): the first requests leave while the
// script is still being parsed. shared/api.ts and shared/pulse.ts pick the answers up by address.
(function () {
  if (typeof fetch !== 'function' || typeof Promise !== 'function') return
  var path = /^\/p\/([^/]+)/.exec(location.pathname)
  var query = /[?&]e=([^&]+)/.exec(location.search)
  var event = path ? path[1] : query ? query[1] : ''
  if (!event) return
  var early = {}
  function ask(url, headers) {
    early[url] = fetch(url, { credentials: 'same-origin', headers: headers })
    early[url].catch(function () {})
  }
  var known = false
  try {
    known = localStorage.getItem('guanjun:me:' + event) !== null
  } catch (_refused) {
    known = false
  }
  ask('/pub/' + event + '/pulse.json', {})
  ask('/api/events/' + event + '/me', { Accept: 'application/json', 'X-Guanjun-As': 'player' })
  // Nobody known on this phone: the page to find oneself will be needed.
  if (!known) ask('/api/events/' + event + '/public', { Accept: 'application/json' })
  window.earlyRequests = early
  // Files that this reader needs beyond the page itself; the build fills in their names.
  function file(name) {
    var link = document.createElement('link')
    link.rel = /css$/.test(name) ? 'preload' : 'modulepreload'
    if (link.rel === 'preload') link.as = 'style'
    link.href = name
    document.head.appendChild(link)
  }
  var language = null
  try {
    language = localStorage.getItem('guanjun:language')
  } catch (_refused) {
    language = null
  }
  if (known) ['__KNOWN__'].forEach(file)
  if (language ? language === 'en' : !/^zh/i.test(navigator.language || 'zh')) ['__ENGLISH__'].forEach(file)
})()
