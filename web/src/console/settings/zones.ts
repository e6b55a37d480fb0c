/** The wall clock of an event's time zone in a date picker, which knows only the browser's own zone. */

const MINUTE = 60_000

function fieldsOf(milliseconds: number, timeZone: string): number[] {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hour12: false,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(milliseconds)
  const value = (type: string): number => Number(parts.find((part) => part.type === type)?.value ?? 0)
  // Some engines write midnight as 24.
  return [value('year'), value('month') - 1, value('day'), value('hour') % 24, value('minute'), value('second')]
}

/** What the clock of the zone shows then, as if it were UTC. Unknown zones: the browser's own clock. */
function shown(milliseconds: number, timeZone: string): number {
  try {
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = fieldsOf(milliseconds, timeZone)
    return Date.UTC(year, month, day, hour, minute, second)
  } catch {
    return milliseconds - new Date(milliseconds).getTimezoneOffset() * MINUTE
  }
}

/** A date whose fields in the browser's zone are what the clock of `timeZone` shows at that moment. */
export function pickerDate(milliseconds: number, timeZone: string): Date {
  const wall = new Date(shown(milliseconds, timeZone))
  return new Date(
    wall.getUTCFullYear(),
    wall.getUTCMonth(),
    wall.getUTCDate(),
    wall.getUTCHours(),
    wall.getUTCMinutes(),
    wall.getUTCSeconds(),
  )
}

/** The moment at which the clock of `timeZone` shows the fields of a picked date; where it jumps, the one after. */
export function pickedMoment(date: Date, timeZone: string): number {
  const wanted = Date.UTC(
    date.getFullYear(),
    date.getMonth(),
    date.getDate(),
    date.getHours(),
    date.getMinutes(),
    date.getSeconds(),
  )
  let moment = wanted
  for (let tried = 0; tried < 3; tried += 1) moment += wanted - shown(moment, timeZone)
  return moment
}
