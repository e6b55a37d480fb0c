import { api, ApiError, type Schemas } from '../../shared/api'
import { t } from '../../shared/i18n/console'

export type Series = Schemas['SeriesView']
export type Stage = Schemas['SeriesStage']
export type StageEvent = Schemas['SeriesEvent']
export type Job = Schemas['SeriesJob']
export type Plan = Schemas['StagePlan']
export type Preview = Schemas['StagePreview']

const STATES = {
  waiting: { key: 'stageWaiting', tone: 'neutral' },
  running: { key: 'stageRunning', tone: 'info' },
  finished: { key: 'stageFinished', tone: 'good' },
  ended: { key: 'stageEnded', tone: 'neutral' },
} as const

export const stateWords = (event: StageEvent): string => t(STATES[event.state].key)
export const stateTone = (event: StageEvent): 'neutral' | 'info' | 'good' => STATES[event.state].tone

/** The stage as it was formed, if any of its events still is; else what was undone last. */
export function formedOf(stage: Stage): Schemas['Formed'] | null {
  const found = stage.events.map((one) => one.formed).filter((one) => one !== null)
  return found.find((one) => one.state !== 'undone') ?? found[0] ?? null
}

/** The two entries with the same phone, of which one may decline; none for any other refusal. */
export function twiceOf(refusal: ApiError): Schemas['SeriesEntry'][] {
  const found = refusal.code === 'series_twice' ? refusal.problem['current'] : null
  return Array.isArray(found) ? (found as Schemas['SeriesEntry'][]) : []
}

/** How many entries a stage was formed with. */
export const formedCount = (stage: Stage): number =>
  stage.events.reduce((sum, one) => sum + (one.formed?.state === 'formed' ? one.formed.count : 0), 0)

/**
 * May the stage be formed: the one before was played (or is the first, in all of which people only register), nothing was formed
 * or entered, and its events are the caller's. What else stands in the way the preview says.
 */
export function formable(series: Series, index: number): boolean {
  const stage = series.stages[index]
  const before = series.stages[index - 1]
  if (!stage || !before || stage.events.length === 0 || before.events.length === 0) return false
  const played = before.events.every((one) => one.state === 'finished' || one.state === 'ended')
  const entered = index === 1 && before.events.every((one) => one.state === 'waiting' && one.entries > 0)
  return (played || entered) && stage.events.every((one) => one.mine && one.entries === 0 && one.round === 0 && one.state === 'waiting' && one.formed?.state !== 'forming')
}

export const undoable = (stage: Stage): boolean => {
  const formed = stage.events.filter((one) => one.formed?.state === 'formed')
  return formed.length > 0 && formed.every((one) => one.mine && one.formed?.undoable === true)
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Looks at a job until it is over; the network may fail in between. */
export async function watchJob(event_id: string, first: Job, tell: (job: Job) => void, wait = pause): Promise<Job> {
  let job = first
  tell(job)
  while (!job.over) {
    await wait(700)
    try {
      job = await api.get('/api/events/{event_id}/series/jobs/{job_id}', { path: { event_id, job_id: job.job_id } })
    } catch (error) {
      if (!(error instanceof ApiError) || !error.temporary) throw error
    }
    tell(job)
  }
  return job
}
