import { shallowReactive } from 'vue'
import { api, ApiError, type Body, type Schemas } from '../../shared/api'
import { networkError, problemOf } from '../../shared/problem'
import { speakerHeader } from '../../shared/session'
import { persist } from '../kit/acting'
import { digitsHeader } from '../privacy/digits'

export type ExportJob = Schemas['ExportJob']
export type ExportName = Body<'/api/events/{event_id}/export-jobs', 'post'>['name']

/** A file of a large event on its way: `label` as its button says, `job` null until it is ordered. */
export interface Export {
  event: string
  name: ExportName
  label: string
  since: number
  job: ExportJob | null
  error: ApiError | null
}

/** Those that are shown, whatever page of the event is open; one of a name and event at a time. */
export const exportsShown: Map<string, Export> = shallowReactive(new Map<string, Export>())

export const keyOf = (event: string, name: ExportName): string => `${event} ${name}`

const PAUSE = 700
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Has a file made, shows how far it is, and saves it once it is there. A second order while one is under way is that one. */
export async function makeFile(event: string, name: ExportName, label: string, wait = pause): Promise<void> {
  const key = keyOf(event, name)
  const before = exportsShown.get(key)
  if (before && before.error === null && before.job?.over !== true) return
  const mine: Export = { event, name, label, since: Date.now(), job: null, error: null }
  const show = (change: Partial<Export>): void => {
    exportsShown.set(key, Object.assign(mine, change))
    exportsShown.set(key, { ...mine })
  }
  show({})
  try {
    const path = { event_id: event }
    let job = await persist((idempotencyKey) => api.post('/api/events/{event_id}/export-jobs', { path, body: { name }, idempotencyKey }))
    show({ job })
    while (!job.over) {
      await wait(PAUSE)
      job = (await read(event, job.job_id)) ?? job
      // Somebody who closed the notice has seen enough of it.
      if (exportsShown.has(key)) show({ job })
    }
    if (job.phase === 'cancelled') exportsShown.delete(key)
    if (job.problem) throw new ApiError(409, { ...job.problem })
    if (job.phase === 'done') await saveFile(event, job)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    show({ error })
  }
}

/** How far it is; undefined when the answer was lost, to be asked for again. */
async function read(event_id: string, job_id: string): Promise<ExportJob | undefined> {
  try {
    return await api.get('/api/events/{event_id}/export-jobs/{job_id}', { path: { event_id, job_id } })
  } catch (error) {
    if (!(error instanceof ApiError) || !error.temporary) throw error
    return undefined
  }
}

export async function cancelFile(shown: Export): Promise<void> {
  if (!shown.job) return
  await api.post('/api/events/{event_id}/export-jobs/{job_id}/cancellation', { path: { event_id: shown.event, job_id: shown.job.job_id } })
}

/** Saves the file of a job that is done; whether it is still there. Throws ApiError. */
export async function saveFile(event: string, job: ExportJob): Promise<boolean> {
  if (job.pieces > 0) {
    saveAs(URL.createObjectURL(await joined(event, job)), job.filename)
    return true
  }
  // A link is good for a quarter of an hour: ask for one of now.
  const now = (await read(event, job.job_id)) ?? job
  if (now.link) saveAs(now.link, now.filename)
  return now.link !== null
}

/** Saves it again. When it is gone, for somebody's data were erased meanwhile, it is made anew. */
export async function saveAgain(shown: Export): Promise<void> {
  if (shown.job && !(await saveFile(shown.event, shown.job))) await makeFile(shown.event, shown.name, shown.label)
}

/** The pieces of a file with sealed names, opened by the digits of this page, as one. */
async function joined(event: string, job: ExportJob): Promise<Blob> {
  const pieces: Blob[] = []
  for (let number = 1; number <= job.pieces; number += 1) {
    const address = `/api/events/${event}/export-jobs/${job.job_id}/pieces/${number}`
    const headers = { ...speakerHeader(), ...digitsHeader(address) }
    const response = await fetch(address, { credentials: 'same-origin', headers }).catch(() => Promise.reject(networkError()))
    if (!response.ok) throw await problemOf(response)
    pieces.push(await response.blob())
  }
  return new Blob(pieces)
}

/** Lets the browser save what lies at an address. */
export function saveAs(address: string, filename: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = filename
  link.click()
  if (address.startsWith('blob:')) setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
