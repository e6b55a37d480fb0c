import { language } from './i18n/language'

const tag = (): string => (language.value === 'zh' ? 'zh-CN' : 'en-GB')

/** `11月30日 周一 09:00`, in the event's time zone; an unknown zone falls back to the browser's. */
export function dateText(milliseconds: number, timeZone?: string): string {
  const parts: Intl.DateTimeFormatOptions = {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }
  try {
    return new Intl.DateTimeFormat(tag(), { ...parts, ...(timeZone ? { timeZone } : {}) }).format(milliseconds)
  } catch {
    return new Intl.DateTimeFormat(tag(), parts).format(milliseconds)
  }
}

/** `2026-12-01`, the day in the event's time zone, as a date field takes it. */
export function dayText(milliseconds: number, timeZone: string): string {
  const parts: Intl.DateTimeFormatOptions = { year: 'numeric', month: '2-digit', day: '2-digit' }
  try {
    return new Intl.DateTimeFormat('en-CA', { ...parts, timeZone }).format(milliseconds)
  } catch {
    return new Intl.DateTimeFormat('en-CA', parts).format(milliseconds)
  }
}

/** `09:00:12`, on this machine's clock. */
export function timeText(milliseconds: number): string {
  return new Intl.DateTimeFormat(tag(), { hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(milliseconds)
}
