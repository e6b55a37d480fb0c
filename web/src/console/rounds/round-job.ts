import { shallowRef, type ShallowRef } from 'vue'
import { api, ApiError, type Schemas } from '../../shared/api'
import { problemOfJob } from './drawing'

type Job = Schemas['RoundJob']

/** How far the publication or settlement of a large round is; null while none is under way. Kept across pages. */
export const roundProgress: ShallowRef<{ event: string; job: Job; since: number } | null> = shallowRef(null)

const PAUSE = 700
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))
const followed = new Map<string, Promise<Job>>()

/** Asks until it is over; whoever follows the same job gets the same answer. Rejects with an ApiError when it failed. */
export function followRoundJob(event: string, first: Job): Promise<Job> {
  const known = followed.get(first.job_id)
  if (known) return known
  const following = untilOver(event, first).finally(() => followed.delete(first.job_id))
  followed.set(first.job_id, following)
  return following
}

async function untilOver(event: string, first: Job): Promise<Job> {
  const since = Date.now()
  let job = first
  try {
    while (!job.over) {
      roundProgress.value = { event, job, since }
      await pause(PAUSE)
      try {
        job = await readRoundJob(event, job.job_id)
      } catch (error) {
        if (!(error instanceof ApiError) || !error.temporary) throw error
      }
    }
  } finally {
    if (roundProgress.value?.job.job_id === job.job_id) roundProgress.value = null
  }
  if (job.problem) throw problemOfJob(job.problem)
  return job
}

/** How far a job is that somebody else may have begun. Rejects with an ApiError. */
export function readRoundJob(event: string, job: string): Promise<Job> {
  return api.get('/api/events/{event_id}/round-jobs/{job_id}', { path: { event_id: event, job_id: job } })
}

/** Cancels what is shown; whoever follows it hears of it. Rejects with an ApiError. */
export async function cancelRoundJob(): Promise<void> {
  const shown = roundProgress.value
  if (!shown) return
  const path = { event_id: shown.event, job_id: shown.job.job_id }
  await api.post('/api/events/{event_id}/round-jobs/{job_id}/cancellation', { path })
}
