import type { ClockReading } from '../../shared/clock'

const MINUTE = 60

/** The round's clock as it runs for a table that was given `extra` minutes; its last minutes are told like the round's. */
export function extended(reading: ClockReading, extra: number, stopDrawingMinutes: number): ClockReading {
  if (reading.phase === 'paused') return { phase: 'paused', seconds: reading.seconds + extra * MINUTE }
  if (extra === 0 || !['running', 'stop_drawing', 'over'].includes(reading.phase)) return reading
  const left = extra * MINUTE + (reading.phase === 'over' ? -reading.seconds : reading.seconds)
  if (left <= 0) return { phase: 'over', seconds: -left }
  return { phase: left <= stopDrawingMinutes * MINUTE ? 'stop_drawing' : 'running', seconds: left }
}
