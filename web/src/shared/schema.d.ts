/** Written by `npm run gen:api` from openapi.json. */
export interface paths {
  '/api/time': {
    get: { responses: { 200: { content: { 'application/json': { now: number } } } } }
  }
  '/api/links/exchange': {
    post: {
      requestBody: { content: { 'application/json': { token: string } } }
      responses: { 200: { content: { 'application/json': { csrf_token: string } } } }
    }
  }
}
export interface components {
  schemas: Record<string, never>
}
