import { createApp, nextTick, type App } from 'vue'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import PlayPage from '../src/play/PlayPage.vue'

const event = { event_id: 'e1', name: '周三夜赛', phase: 'open', search_by_phone_only: true, prompt_phone: true }
const ended = { v: 1, event: 'e1', phase: 'ended', round: 3, rounds: 3, clock: null, changes: 0, recent: { from: 0, all: 0, tables: {} } }
let answers: Record<string, () => void> = {}
let app: App

/** Every question waits until it is answered by hand, as over a bad line. */
const asked = (address: string | URL | Request): Promise<Response> =>
  new Promise((resolve) => {
    const path = String(address)
    const give = (name: string, status: number, body: unknown): void => {
      answers[name] = () => resolve(Response.json(body, { status }))
    }
    if (path.includes('/me')) give('me', 401, { code: 'not_identified' })
    else if (path.includes('/public/e1/pulse') || path.includes('pulse.json')) give('pulse', 200, { ...ended, standings: null, pairings: null, display: { view: 'clock', page: null, paused: false }, name: '' })
    else if (path.endsWith('/public')) give('public', 200, event)
  })

const settled = async (): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve))
  await nextTick()
}
const tab = (place: number): HTMLButtonElement => document.querySelectorAll<HTMLButtonElement>('nav button')[place] as HTMLButtonElement

beforeEach(() => {
  answers = {}
  localStorage.clear()
  vi.stubGlobal('fetch', asked)
  document.body.innerHTML = '<div id="app"></div>'
  app = createApp(PlayPage, { event: 'e1' })
  app.mount('#app')
})
afterEach(() => app.unmount())

it('leaves the tab that was tapped before it was known that nobody is known', async () => {
  tab(1).click()
  await settled()
  expect(tab(1).getAttribute('aria-current')).toBe('page')
  answers['me']?.()
  await settled()
  answers['public']?.()
  await settled()
  expect(tab(1).getAttribute('aria-current')).toBe('page')
})

it('leads to the results of an event that is over, but not away from what was tapped', async () => {
  tab(1).click()
  await settled()
  tab(0).click()
  answers['pulse']?.()
  await settled()
  expect(tab(0).getAttribute('aria-current')).toBe('page')
  app.unmount()
  document.body.innerHTML = '<div id="app"></div>'
  app = createApp(PlayPage, { event: 'e1' })
  app.mount('#app')
  await settled()
  answers['pulse']?.()
  await settled()
  expect(tab(1).getAttribute('aria-current')).toBe('page')
})
