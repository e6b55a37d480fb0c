import { writeHeaders } from '../../shared/api'
import { randomId } from '../../shared/identifiers'
import { language } from '../../shared/i18n/language'
import { networkError, problemOf } from '../../shared/problem'
import { digitsHeader } from '../privacy/digits'
import type { Correction } from './import-file'

export interface RosterFile {
  content: string
  columns: Record<string, string> | null
  corrections: readonly Correction[]
}

/** Saves the rows of a file that would not come in, as a workbook that is kept nowhere else. Throws ApiError. */
export async function saveRejected(event_id: string, file: RosterFile): Promise<void> {
  const address = `/api/events/${event_id}/rejected-rows`
  const headers = { ...writeHeaders(randomId()), ...digitsHeader(address), 'Content-Type': 'application/json', 'Accept-Language': language.value }
  const sent = { method: 'POST', credentials: 'same-origin' as const, headers, body: JSON.stringify(file) }
  const response = await fetch(address, sent).catch(() => Promise.reject(networkError()))
  if (!response.ok) throw await problemOf(response)
  const name = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('Content-Disposition') ?? '')?.[1]
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await response.blob())
  link.download = name ? decodeURIComponent(name) : 'rejected.xlsx'
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
