import type { CalendarDay } from '../shared/matches/calendar'

/** One line of a picture of the calendar: a round with its day, a meeting, or who has nobody to meet. */
export type CalendarLine =
  | { kind: 'day'; day: CalendarDay }
  | { kind: 'meeting'; table: CalendarDay['tables'][number] }
  | { kind: 'bye'; entry: CalendarDay['byes'][number] }

/** A hall does not wait for more pictures than these: of a long calendar it sees what is on and what comes. */
const MOST_PICTURES = 24

/**
 * The calendar in pictures of so many lines. A round is kept together where one picture holds it; else its heading
 * stands on each of its pictures.
 */
export function calendarPictures(days: CalendarDay[], lines: number): CalendarLine[][] {
  const all = packed(days, lines)
  if (all.length <= MOST_PICTURES) return all
  const on = days.reduce((last, day, index) => (day.drawn ? index : last), 0)
  return packed(days.slice(on), lines).slice(0, MOST_PICTURES)
}

function packed(days: CalendarDay[], lines: number): CalendarLine[][] {
  const pictures: CalendarLine[][] = []
  let picture: CalendarLine[] = []
  for (const day of days) {
    const meetings = meetingsOf(day)
    if (picture.length + 1 + meetings.length > lines) picture = []
    for (const meeting of meetings) {
      if (picture.length === lines) picture = []
      if (picture.length === 0) pictures.push(picture)
      if (picture.length === 0 || meeting === meetings[0]) picture.push({ kind: 'day', day })
      picture.push(meeting)
    }
  }
  return pictures
}

function meetingsOf(day: CalendarDay): CalendarLine[] {
  return [
    ...day.tables.map((table): CalendarLine => ({ kind: 'meeting', table })),
    ...day.byes.map((entry): CalendarLine => ({ kind: 'bye', entry })),
  ]
}
