import { createApp, defineComponent, effectScope, h, nextTick } from 'vue'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { persist } from '../src/console/kit/acting'
import { usePolled } from '../src/console/kit/use-polled'
import { checklist } from '../src/console/overview/checklist'
import { nextStep } from '../src/console/overview/next-step'
import { provideEvent, type EventView } from '../src/console/frame/event-context'
import SlipEntry from '../src/console/scoring/SlipEntry.vue'
import { ApiError } from '../src/shared/api'
import { setLanguage } from '../src/shared/i18n/language'
import { networkError } from '../src/shared/problem'
import { levels, scoringRules, tableOf, toPlay, word, type TableView } from './tables'

setLanguage('zh')
afterEach(() => {
  document.body.innerHTML = ''
})
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
  await nextTick()
}

describe('persist', () => {
  const soon = (): Promise<void> => Promise.resolve()

  it('repeats a lost call with the same key, so that it happens once', async () => {
    const keys: string[] = []
    const answer = await persist(async (key) => {
      keys.push(key)
      if (keys.length < 3) throw networkError()
      return 'done'
    }, soon)
    expect(answer).toBe('done')
    expect(new Set(keys).size).toBe(1)
    expect(keys).toHaveLength(3)
  })

  it('takes a refusal as the answer, and gives up in the end', async () => {
    const refusal = new ApiError(409, { code: 'open_tables' })
    const call = vi.fn(async () => Promise.reject(refusal))
    await expect(persist(call, soon)).rejects.toBe(refusal)
    expect(call).toHaveBeenCalledTimes(1)
    const lost = vi.fn(async () => Promise.reject(networkError()))
    await expect(persist(lost, soon)).rejects.toMatchObject({ code: 'network' })
    expect(lost).toHaveBeenCalledTimes(3)
  })
})

describe('usePolled', () => {
  it('keeps the last answer when a question fails, and says so', async () => {
    const scope = effectScope()
    const answers: (() => Promise<number>)[] = [() => Promise.resolve(1), () => Promise.reject(networkError())]
    const polled = scope.run(() => usePolled(() => (answers.shift() ?? (() => Promise.resolve(2)))(), { interval: 60_000 }))
    await settle()
    expect([polled?.data.value, polled?.error.value]).toEqual([1, null])
    await polled?.refresh()
    expect(polled?.data.value).toBe(1)
    expect(polled?.error.value).toContain('网络')
    await polled?.refresh()
    expect([polled?.data.value, polled?.error.value]).toEqual([2, null])
    scope.stop()
  })

  it('drops an answer to a question that was asked before a change was accepted', async () => {
    const scope = effectScope()
    let answer: (value: string) => void = () => undefined
    const polled = scope.run(() => usePolled(() => new Promise<string>((resolve) => (answer = resolve)), { interval: 60_000 }))
    polled?.accept('after my change')
    answer('before my change')
    await settle()
    expect(polled?.data.value).toBe('after my change')
    scope.stop()
  })
})

const clock = { state: 'idle', starts_at: null, ends_at: null, paused_left: null, stop_drawing_minutes: 5, version: 0 }
const event = (change: Partial<EventView>): EventView =>
  ({
    event_id: 'e1',
    version: 1,
    phase: 'open',
    role: 'owner',
    settings: { rounds: 4, minutes_per_round: 50, kind: 'pairs', criteria: [] },
    rounds: [],
    last_round: 2,
    entries: 9,
    checked_in: 0,
    next_step: 'play',
    clock,
    display: { view: 'clock', page: null, paused: false },
    standings: null,
    ...change,
  }) as unknown as EventView

describe('the next step', () => {
  it.each([
    ['play', { done: 2, all: 4 }, 2, 'play'],
    ['play', { done: 4, all: 4 }, 2, 'draw_next'],
    ['settle', { done: 4, all: 4 }, 4, 'settle'],
    ['start_clock', { done: 0, all: 4 }, 2, 'start_clock'],
    ['start_clock', { done: 4, all: 4 }, 2, 'draw_next'],
    ['draw_next', null, 2, 'draw_next'],
    ['finished', null, 4, 'end'],
  ] as const)('after %s with %o in round %i is %s', (next_step, progress, last_round, code) => {
    expect(nextStep(event({ next_step, last_round }), progress).code).toBe(code)
  })
  it('of a draft that seats who is out by now is to draw it again, not to publish it', () => {
    const drafted = (outdated_by: number[]): EventView =>
      event({ next_step: 'publish', rounds: [{ number: 2, phase: 'draft', tables: 2, version: 2, outdated_by, job: null }] })
    expect(nextStep(drafted([]), null).code).toBe('publish')
    expect(nextStep(drafted([1]), null).code).toBe('redraw')
    expect(checklist(drafted([]), null).find((check) => check.id === 'draft')?.words).toBe('第 2 轮草稿等待核对和发布')
    expect(checklist(drafted([1]), null).find((check) => check.id === 'draft')?.words).toBe('第 2 轮要重新编排才能发布')
  })
  it('of an ended event is to look at the standings', () => {
    expect(nextStep(event({ next_step: 'finished', phase: 'ended' }), null).code).toBe('finished')
  })
})

const table = (number: number, change: Partial<TableView> = {}): TableView => tableOf({ round: 2, table: number, version: 3, ...change })

describe('paper slips by keyboard', () => {
  interface Sent {
    url: string
    body: Record<string, unknown>
    key: string | null
  }

  function mount(tables: TableView[], reply: (sent: Sent) => Response, rules: Parameters<typeof scoringRules>[0] = {}): { sent: Sent[]; element: HTMLElement } {
    const sent: Sent[] = []
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      if (init.method !== 'POST') return Response.json(url.endsWith('/time') ? { now: Date.now() } : event({}))
      const one = { url, body: JSON.parse(String(init.body)), key: new Headers(init.headers).get('Idempotency-Key') }
      sent.push(one)
      return reply(one)
    })
    const element = document.createElement('div')
    document.body.appendChild(element)
    const frame = defineComponent({
      setup() {
        provideEvent('e1')
        return () => h(SlipEntry, { tables, rules: scoringRules(rules), settled: false })
      },
    })
    createApp(frame).mount(element)
    return { sent, element }
  }

  async function type(element: HTMLElement, name: string, text: string): Promise<void> {
    const field = element.querySelector<HTMLInputElement>(`[name=${name}]`)
    if (!field) throw new Error(`no field ${name}`)
    field.value = text
    field.dispatchEvent(new Event(field.tagName === 'SELECT' ? 'change' : 'input'))
    await nextTick()
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }))
    await settle()
  }

  it('takes table, Enter, level, Enter, level, Enter, then waits for the next table', async () => {
    const after = table(7, { state: 'ruled', version: 4 })
    const { sent, element } = mount([table(7)], () => Response.json(after))
    await type(element, 'table', '7')
    expect(element.textContent).toContain('甲队 – 乙队')
    expect((document.activeElement as HTMLInputElement).name).toBe('ns')
    await type(element, 'ns', '15')
    await type(element, 'ew', '0')
    expect(sent).toHaveLength(1)
    expect(sent[0]?.url).toBe('/api/events/e1/rounds/2/tables/7/ruling')
    expect(sent[0]?.body).toMatchObject({ version: 3, outcome: 'played', ns_level: 'A+', ew_level: '10', reason: '' })
    expect(element.querySelector('li')?.textContent).toContain('✓ 已记')
    expect(element.querySelector('li button')?.textContent).toBe('撤销')
    expect((document.activeElement as HTMLInputElement).name).toBe('table')
    expect((document.activeElement as HTMLInputElement).value).toBe('')
  })

  it('stops at a table that is not there and at a level that does not exist', async () => {
    const { sent, element } = mount([table(7)], () => Response.json(table(7)))
    await type(element, 'table', '8')
    expect(element.textContent).toContain('没有 8 桌')
    await type(element, 'table', '7')
    await type(element, 'ns', '16')
    expect(element.textContent).toContain('级数是')
    expect(sent).toHaveLength(0)
  })

  it('asks for a reason before it overrules a side, and sends it', async () => {
    const said = word(levels('A', '9'))
    const { sent, element } = mount([table(7, { state: 'one_sided', word_ns: said })], () => Response.json(table(7)))
    await type(element, 'table', '7')
    await type(element, 'ns', 'a')
    await type(element, 'ew', '8')
    expect(sent).toHaveLength(0)
    expect(element.textContent).toContain('请选原因')
    await type(element, 'reason', '以纸条为准')
    expect(sent[0]?.body).toMatchObject({ ns_level: 'A', ew_level: '8', reason: '以纸条为准' })
  })

  it('takes boards in one row of digits, a minus before what 东西 won', async () => {
    const four = table(7, { to_play: toPlay(5, 6, 7, 8) })
    const { sent, element } = mount([four], () => Response.json(four), { by: 'boards' })
    await type(element, 'table', '7')
    expect((document.activeElement as HTMLInputElement).name).toBe('boards')
    await type(element, 'boards', '3-12')
    expect(sent).toHaveLength(0)
    expect(element.textContent).toContain('已输入 3 副，本桌是 4 副')
    await type(element, 'boards', '3-12-3')
    const results = [5, 6, 7, 8].map((board, index) => ({ board, result: [3, -1, 2, -3][index] }))
    expect(sent[0]?.body).toMatchObject({ ns_level: null, ew_level: null, boards: results })
  })

  it('asks a knock-out on equal levels who won', async () => {
    const { sent, element } = mount([table(7)], () => Response.json(table(7)), { needs_winner: true })
    await type(element, 'table', '7')
    await type(element, 'ns', '8')
    await type(element, 'ew', '8')
    expect(sent).toHaveLength(0)
    expect((document.activeElement as HTMLInputElement).name).toBe('winner')
    await type(element, 'winner', '3')
    expect(element.textContent).toContain('胜方输入 1')
    await type(element, 'winner', '2')
    expect(sent[0]?.body).toMatchObject({ ns_level: '8', ew_level: '8', winner: 'ew' })
  })

  it('takes x for a side that did not turn up', async () => {
    const { sent, element } = mount([table(7)], () => Response.json(table(7)))
    await type(element, 'table', '7')
    await type(element, 'ns', 'x')
    await type(element, 'ew', '')
    expect(sent[0]?.body).toMatchObject({ outcome: 'ns_forfeit', ns_level: null, ew_level: null })
  })

  it('keeps a refused slip in its line, with the words of the refusal and a way to type it again', async () => {
    const problem = { code: 'stale_version', detail_zh: '内容刚被其他人修改过', detail_en: 'changed' }
    const { element } = mount([table(7)], () => Response.json(problem, { status: 409 }))
    await type(element, 'table', '7')
    await type(element, 'ns', 'K')
    await type(element, 'ew', '5')
    expect(element.querySelector('li')?.textContent).toContain('内容刚被其他人修改过')
    element.querySelector<HTMLButtonElement>('li button')?.click()
    await settle()
    expect(element.querySelector<HTMLInputElement>('[name=ew]')?.value).toBe('5')
  })
})
