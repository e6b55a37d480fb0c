import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ref } from 'vue'
import { useCallActs, usePenaltyActs, useSubstituteActs, useTableActs } from '../src/ref/acts'
import type { Hall } from '../src/ref/use-hall'
import { setLanguage } from '../src/shared/i18n/language'
import { Outbox, type OutboxItem } from '../src/shared/outbox'
import { DeviceStore } from '../src/shared/outbox-store'
import { toasts } from '../src/shared/ui/toasts'
import { levels, tableOf } from './tables'

interface Arrived {
  method: string
  path: string
  body: Record<string, unknown>
}

let arrived: Arrived[]
let answers: ((sent: Arrived) => Promise<Response>)[]
let queue: Outbox
let hall: Hall

const json = (status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } })
const answer = (body: unknown) => (): Promise<Response> => Promise.resolve(json(200, body))
const lost = (): Promise<Response> => Promise.reject(new TypeError('no network'))

beforeEach(() => {
  setLanguage('zh')
  globalThis.indexedDB = new IDBFactory()
  localStorage.clear()
  toasts.value = []
  arrived = []
  answers = []
  const fetch = (url: string, init: RequestInit): Promise<Response> => {
    const sent = { method: init.method ?? '', path: url.replace('/api/events/e1', ''), body: JSON.parse(String(init.body)) as Record<string, unknown> }
    arrived.push(sent)
    return (answers.shift() ?? answer({}))(sent)
  }
  queue = new Outbox({ store: new DeviceStore(), fetch, random: () => 0.5 })
  const items = ref<OutboxItem[]>([])
  queue.subscribe((now) => {
    items.value = now
  })
  hall = { event: 'e1', queue, outbox: { items }, refresh: () => Promise.resolve() } as unknown as Hall
})
afterEach(() => queue.stop())

/** Lets everything already begun come to rest. */
async function settled(until: (items: OutboxItem[]) => boolean = (items) => items.every((item) => item.state !== 'waiting')): Promise<void> {
  for (let turn = 0; turn < 300; turn += 1) {
    if (until(await queue.items())) return
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  throw new Error(`never came to rest: ${JSON.stringify(await queue.items())}`)
}
async function undo(): Promise<void> {
  const toast = toasts.value[toasts.value.length - 1]
  if (!toast?.undo) throw new Error('nothing to undo')
  await toast.undo()
}
const paths = (): string[] => arrived.map((sent) => `${sent.method} ${sent.path}`)

describe('undo of a referee', () => {
  it('of an act that is on its way waits for the answer and takes it back, for it may have arrived', async () => {
    let arrive: (reply: Response) => void = () => undefined
    answers = [() => new Promise<Response>((resolve) => (arrive = resolve))]
    const given = { entry: 1, player: 0, leaves: 'a1B2', gone: '甲', name: '丙', phone: '', reason: '伤病' }
    await useSubstituteActs(hall).substitute(given, tableOf({ version: 4 }))
    for (let turn = 0; turn < 300 && arrived.length === 0; turn += 1) await new Promise((resolve) => setTimeout(resolve, 2))
    const undone = undo()
    // Long enough for it to be thrown away, were that what happens.
    await new Promise((resolve) => setTimeout(resolve, 20))
    arrive(json(201, { id: 'abc' }))
    await undone
    await settled()
    expect(paths()).toEqual(['POST /entries/1/substitutions', 'POST /entries/1/substitutions/abc/removal'])
    expect(arrived[0]?.body).toEqual({ player: 0, leaves: 'a1B2', name: '丙', phone: '', reason: '伤病' })
  })

  it('of a ruling that arrived lifts it again, at the version that the server gave it', async () => {
    const table = tableOf({ version: 4 })
    answers = [answer(tableOf({ version: 5, state: 'ruled' }))]
    await useTableActs(hall).rule(table, { score: levels('A', '9'), reason: '' })
    await settled()
    await undo()
    await settled()
    expect(paths()).toEqual(['POST /rounds/1/tables/1/ruling', 'POST /rounds/1/tables/1/lifting'])
    expect(arrived.map((sent) => sent.body['version'])).toEqual([4, 5])
  })

  it('brings an earlier ruling back', async () => {
    const ruling = { score: levels('K', '9'), winner: null, reason: '', actor: 'referee', at: 0, self_forfeit: false }
    answers = [answer(tableOf({ version: 2 }))]
    await useTableActs(hall).rule(tableOf({ ruling }), { score: levels('A', '9'), reason: '漏记' })
    await settled()
    await undo()
    await settled()
    expect(arrived[1]?.body).toMatchObject({ ns_level: 'K', ew_level: '9', version: 2, reason: '撤销' })
  })

  it('of what waits for its answer comes after it, and not at all where it is refused', async () => {
    const table = tableOf()
    answers = [lost]
    await useTableActs(hall).giveExtra(table, 10)
    await settled((items) => items[0]?.tries === 1)
    const taken = undo()
    answers = [answer(tableOf({ version: 2, extra_minutes: 10 }))]
    await queue.flush(true)
    await taken
    await settled()
    expect(arrived.slice(1).map((sent) => sent.body)).toEqual([{ version: 1, minutes: 10 }, { version: 2, minutes: 0 }])

    answers = [lost]
    await useTableActs(hall).giveExtra(table, 5)
    await settled((items) => items.some((item) => item.state === 'waiting' && item.tries === 1))
    const refused = undo()
    answers = [() => Promise.resolve(json(409, { code: 'stale_version' }))]
    await queue.flush(true)
    await refused
    expect(arrived).toHaveLength(5)
  })

  it('of points removes what was given, and gives again what was removed', async () => {
    const acts = usePenaltyActs(hall, () => [{ code: 'match_points', zh: '场分', en: 'Match points' }])
    const given = { entry: 3, round: 1, criterion: 'match_points', amount: -1, reason: '迟到' }
    const made = { ...given, id: 'a1', name: '甲队', actor: 'referee', at: 0 }
    answers = [answer(made)]
    await acts.give(given, '甲队 场分 −1')
    await settled()
    await undo()
    await settled()
    await acts.remove(made, '误记')
    await settled()
    await undo()
    await settled()
    expect(paths()).toEqual(['POST /adjustments', 'POST /adjustments/a1/removal', 'POST /adjustments/a1/removal', 'POST /adjustments'])
    expect(arrived[3]?.body).toEqual(given)
  })

  it('of an answered call puts it back', async () => {
    const call = { call: 'c1', kind: 'call', message: '', round: 1, table: 1, match: 1, room: null, side: 'ns', entry: 1, name: '甲队', at: 0, taken_at: null, taken_by: null, taken_name: null, place: 1 }
    const acts = useCallActs(hall)
    await acts.take(call)
    await settled()
    await undo()
    await settled()
    await acts.close(call)
    await settled()
    await undo()
    await settled()
    expect(paths()).toEqual(['POST /calls/c1/taking', 'POST /calls/c1/returning', 'POST /calls/c1/closing', 'POST /calls/c1/returning'])
  })

  it('of a line-up restores the one before', async () => {
    // Two of the first team have one name: which of them played is told by the place.
    const team = { number: 1, name: '甲队', club: '', players: ['甲', '甲', '丙', '丁'], numbers: [1] }
    const line_up = { ns: ['甲', '丙'], ew: ['丙', '丁'], ns_places: [1, 2], ew_places: [2, 3] }
    const table = tableOf({ ns: team, ew: { ...team, number: 2, numbers: [2] }, line_up })
    answers = [answer(tableOf({ version: 2 }))]
    await useTableActs(hall).setLineUp(table, { ns: [2, 3], ew: [2, 3] })
    await settled()
    await undo()
    await settled()
    expect(paths()[1]).toBe('PUT /rounds/1/tables/1/line-up')
    expect(arrived[1]?.body).toEqual({ version: 2, ns: [1, 2], ew: [2, 3] })
  })
})
