// The edge's function on the default behaviour: pretty paths stand for pages.
// PAGES, from routes.json, is put in front of this text (infra/deploy/edge_template.py). The path is compared as it
// was sent, without decoding; infra/local/edge.py does the same.
function handler(event) {
  const request = event.request
  for (let index = 0; index < PAGES.length; index += 1) {
    const start = PAGES[index].path
    if (request.uri === start || (start !== '/' && request.uri.startsWith(start + '/'))) {
      request.uri = PAGES[index].page
      return request
    }
  }
  return request
}
