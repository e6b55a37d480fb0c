import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { exportsShown, keyOf, makeFile, saveAgain, saveFile, type ExportJob } from '../src/console/files/exporting'

const JOB: ExportJob = {
  job_id: 'j1', name: 'workbook', phase: 'queued', over: false, done: 0, total: 0, filename: '', link: null, pieces: 0, problem: null,
}
const DONE: ExportJob = { ...JOB, phase: 'done', over: true, done: 4, total: 4, filename: '全国赛-全部.xlsx', link: '/local/download?grant=1' }
const PATH = '/api/events/e1/export-jobs'

let asked: string[]
let saved: { href: string; name: string }[]
const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } })

/** Answers in order for one `method address`; the last one stays. */
function server(replies: Record<string, (() => Response)[]>): void {
  vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) => {
    const what = `${init.method ?? 'GET'} ${url}`
    asked.push(what)
    const left = replies[what]
    const reply = left && (left.length > 1 ? left.shift() : left[0])
    if (!reply) throw new Error(`nobody expects ${what}`)
    return Promise.resolve(reply())
  })
}

beforeEach(() => {
  asked = []
  saved = []
  exportsShown.clear()
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ href: this.getAttribute('href') ?? '', name: this.download })
  })
  URL.createObjectURL = (): string => 'blob:whole'
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
const at = (): Promise<void> => Promise.resolve()

describe('a file of a large event', () => {
  it('is ordered, watched and saved under its name', async () => {
    const seen: number[] = []
    server({
      [`POST ${PATH}`]: [() => json(JOB, 202)],
      [`GET ${PATH}/j1`]: [() => json({ ...JOB, phase: 'running', done: 1, total: 4 }), () => json(DONE)],
    })
    await makeFile('e1', 'workbook', '全部表格', () => {
      seen.push(exportsShown.get(keyOf('e1', 'workbook'))?.job?.done ?? -1)
      return at()
    })
    expect(seen).toEqual([0, 1])
    expect(saved).toEqual([{ href: '/local/download?grant=1', name: '全国赛-全部.xlsx' }])
    expect(exportsShown.get(keyOf('e1', 'workbook'))?.job?.phase).toBe('done')
  })

  it('is made anew when it is wanted again and gone meanwhile', async () => {
    const job = { ...DONE, job_id: 'j2', link: '/local/download?grant=2' }
    server({
      [`POST ${PATH}`]: [() => json(JOB, 202), () => json(job, 202)],
      [`GET ${PATH}/j1`]: [() => json(DONE), () => json(DONE), () => json({ ...DONE, link: null })],
      [`GET ${PATH}/j2`]: [() => json(job)],
    })
    await makeFile('e1', 'workbook', '全部表格', at)
    await saveAgain(exportsShown.get(keyOf('e1', 'workbook'))!)
    expect(saved.map((one) => one.href)).toEqual(['/local/download?grant=1', '/local/download?grant=2'])
    expect(asked.filter((what) => what.startsWith('POST'))).toHaveLength(2)
  })

  it('is ordered once, however often its button is pressed meanwhile', async () => {
    server({ [`POST ${PATH}`]: [() => json(JOB, 202)], [`GET ${PATH}/j1`]: [() => json(DONE)] })
    await Promise.all([makeFile('e1', 'workbook', '全部表格', at), makeFile('e1', 'workbook', '全部表格', at)])
    expect(asked.filter((one) => one.startsWith('POST'))).toHaveLength(1)
  })

  it('is gone from the page when it was cancelled', async () => {
    server({ [`POST ${PATH}`]: [() => json(JOB, 202)], [`GET ${PATH}/j1`]: [() => json({ ...JOB, phase: 'cancelled', over: true })] })
    await makeFile('e1', 'workbook', '全部表格', at)
    expect([exportsShown.size, saved]).toEqual([0, []])
  })

  it('says why it could not be made', async () => {
    const problem = { code: 'key_expired', detail_zh: '密钥已过期。', detail_en: 'The key has expired.' }
    server({ [`POST ${PATH}`]: [() => json(JOB, 202)], [`GET ${PATH}/j1`]: [() => json({ ...JOB, phase: 'failed', over: true, problem })] })
    await makeFile('e1', 'workbook', '全部表格', at)
    expect(exportsShown.get(keyOf('e1', 'workbook'))?.error?.code).toBe('key_expired')
    expect(saved).toEqual([])
  })

  it('with sealed names is joined of its pieces', async () => {
    const piece = (text: string) => () => new Response(text)
    server({ [`GET ${PATH}/j1/pieces/1`]: [piece('甲')], [`GET ${PATH}/j1/pieces/2`]: [piece('乙')] })
    let whole = new Blob()
    URL.createObjectURL = (blob: Blob | MediaSource): string => {
      whole = blob as Blob
      return 'blob:whole'
    }
    await saveFile('e1', { ...DONE, link: null, pieces: 2 })
    expect(whole.size).toBe(6)
    expect([asked.length, saved]).toEqual([2, [{ href: 'blob:whole', name: '全国赛-全部.xlsx' }]])
  })
})
