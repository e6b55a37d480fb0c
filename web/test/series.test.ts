import { expect, it } from 'vitest'
import { formable, formedCount, formedOf, twiceOf, undoable, watchJob, type Job, type Series, type Stage, type StageEvent } from '../src/console/series/series'
import { ApiError } from '../src/shared/problem'
import { mineOf } from '../src/shared/series'

const event: StageEvent = {
  event_id: 'a',
  name: '海选',
  kind: 'pairs',
  kind_zh: '组队赛',
  kind_en: 'Pairs',
  starts_at: null,
  state: 'waiting',
  round: 0,
  rounds: 3,
  entries: 0,
  frozen: false,
  encrypted: false,
  registration_open: false,
  groups: false,
  mine: true,
  formed: null,
}
type Formed = NonNullable<StageEvent['formed']>
const plan: Formed['plan'] = { cut: 'best', count: 4, method: 'snake', groups: 1, chosen: [], declined: [] }
const formed: Formed = { state: 'formed', job_id: 'j', count: 8, at: 1, undoable: true, plan, changes: null }
const stage = (...events: StageEvent[]): Stage => ({ name: '阶段', events })
const series = (...stages: Stage[]): Series => ({ name: '公开赛', stages, token: 't' })

it('offers to form a stage that is empty, not the first and wholly the caller’s', () => {
  const first = stage({ ...event, state: 'finished', entries: 16, round: 3 })
  expect(formable(series(first, stage(event)), 1)).toBe(true)
  expect(formable(series(first, stage(event)), 0)).toBe(false)
  expect(formable(series(first, stage(event)), 2)).toBe(false)
  for (const wrong of [{ entries: 1 }, { mine: false }, { state: 'running', round: 1 }, { formed: { ...formed, state: 'forming' } }] as Partial<StageEvent>[]) {
    expect(formable(series(first, stage({ ...event, ...wrong })), 1)).toBe(false)
  }
  expect(formable(series(stage(), stage(event)), 1)).toBe(false)
  // Where people only register nothing is played; a stage in the middle has to be.
  const entered = stage({ ...event, entries: 9 })
  expect(formable(series(entered, stage(event)), 1)).toBe(true)
  expect(formable(series(first, entered, stage(event)), 2)).toBe(false)
  // A batch that is still to come.
  expect(formable(series(stage(...first.events, ...entered.events), stage(event)), 1)).toBe(false)
  expect(formable(series(stage({ ...event, state: 'running', entries: 9 }), stage(event)), 1)).toBe(false)
})

it('knows how a stage was formed, and whether that can be taken back', () => {
  const both = stage({ ...event, formed: { ...formed, state: 'undone' } }, { ...event, formed })
  expect(formedOf(both)?.state).toBe('formed')
  expect(formedCount(both)).toBe(8)
  expect(undoable(both)).toBe(true)
  expect(undoable(stage({ ...event, formed: { ...formed, undoable: false } }))).toBe(false)
  expect(undoable(stage({ ...event, mine: false, formed }))).toBe(false)
  expect([formedOf(stage(event)), formedCount(stage(event)), undoable(stage(event))]).toEqual([null, 0, false])
})

it('looks at a job until it is over', async () => {
  const told: number[] = []
  const over: Job = { job_id: 'j', phase: 'done', over: true, done: 4, total: 4, problem: null }
  expect(await watchJob('a', over, (job) => told.push(job.done))).toBe(over)
  expect(told).toEqual([4])
})

it('leads a phone to the latest stage in which it has identified', () => {
  const at = (event_id: string, state: 'running' | 'ended' = 'running') => ({ event_id, name: event_id, starts_at: null, state })
  const stages = [
    { name: '海选', events: [at('one'), at('two')] },
    { name: '小组', events: [at('three')] },
  ]
  expect(mineOf(stages, (id) => id !== 'three')?.event_id).toBe('one')
  expect(mineOf(stages, () => true)?.event_id).toBe('three')
  expect(mineOf(stages, () => false)).toBeNull()
  expect(mineOf([{ name: '海选', events: [at('one', 'ended')] }], () => true)).toBeNull()
})

it('knows whom of two with the same phone it may let decline', () => {
  const two = [
    { event_id: 'a', number: 3, name: '海选甲 · 甲' },
    { event_id: 'b', number: 5, name: '海选乙 · 甲' },
  ]
  expect(twiceOf(new ApiError(409, { code: 'series_twice', current: two }))).toEqual(two)
  expect(twiceOf(new ApiError(409, { code: 'series_twice' }))).toEqual([])
  expect(twiceOf(new ApiError(409, { code: 'series_frozen', current: two }))).toEqual([])
})
