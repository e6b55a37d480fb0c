import { api, ApiError, type Schemas } from '../../shared/api'
import { networkError } from '../../shared/problem'
import { base64Of } from './import-file'

export type ImportJob = Schemas['ImportJob']

/** Files above this size are uploaded and imported as a job with progress; smaller ones go with the request. */
export const LARGE = 512 * 1024
/** What the server takes at most, whatever way it comes. */
export const MOST_UPLOADED = 10 * 1024 * 1024

/** Uploads a file by itself, to where the server says; returns its key. Throws ApiError. */
export async function uploadFile(event_id: string, file: Blob): Promise<string> {
  const ticket = await api.post('/api/events/{event_id}/uploads', { path: { event_id } })
  const form = new FormData()
  for (const [name, value] of Object.entries(ticket.fields)) form.append(name, value)
  form.append('file', file)
  let response: Response
  try {
    response = await fetch(ticket.url, { method: 'POST', body: form })
  } catch {
    throw networkError()
  }
  if (!response.ok) throw new ApiError(response.status, { code: 'upload_refused' })
  return ticket.key
}

/** Sends the file of an encrypted event to be sealed before it is written anywhere; returns its key. Throws ApiError. */
export async function sealFile(event_id: string, file: Blob): Promise<string> {
  const body = { content: await base64Of(file) }
  const kept = await api.post('/api/events/{event_id}/sealed-uploads', { path: { event_id }, body, timeout: 29_000 })
  return kept.key
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Watches a job until it is over, telling how far it is; an answer that is lost is asked for again. */
export async function watchJob(
  event_id: string,
  first: ImportJob,
  tell: (job: ImportJob) => void,
  wait = pause,
): Promise<ImportJob> {
  let job = first
  tell(job)
  while (!job.over) {
    await wait(700)
    try {
      job = await api.get('/api/events/{event_id}/import-jobs/{job_id}', { path: { event_id, job_id: job.job_id } })
    } catch (error) {
      if (!(error instanceof ApiError) || !error.temporary) throw error
    }
    tell(job)
  }
  return job
}
