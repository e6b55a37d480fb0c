import type { Schemas } from '../api'
import { t } from '../i18n/matches'

export type Calendar = Schemas['Calendar']
export type CalendarDay = Schemas['CalendarDay']

/** How far a match day is: planned, drawn, or played with every result there. */
export function stateOfDay(day: CalendarDay): 'planned' | 'drawn' | 'played' {
  if (!day.drawn) return 'planned'
  return day.tables.every((table) => table.result) ? 'played' : 'drawn'
}

export function dayWords(day: CalendarDay): string {
  const words = { planned: 'dayPlanned', drawn: 'dayDrawn', played: 'dayPlayed' } as const
  return t(words[stateOfDay(day)])
}
