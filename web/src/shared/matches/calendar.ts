import type { Schemas } from '../api'

export type Calendar = Schemas['Calendar']
export type CalendarDay = Schemas['CalendarDay']
