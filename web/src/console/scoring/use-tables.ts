import { fullLookAfter, newsFor, readChanges, readTables, type Grid } from '../../shared/officials/table-watch'
import { useEvent } from '../frame/event-context'
import { usePolled, type Polled } from '../kit/use-polled'

const SOON = 500

/**
 * The tables of a round (null: of the newest published one; 0: there is none), kept up to date: when the pulse moves,
 * what has changed is asked for, and now and then everything.
 */
export function useTables(round: () => number | null): Polled<Grid | null> {
  const { id, pulse } = useEvent()
  /** Of the pulse, when the tables were last asked for. */
  let calls: number | null = null

  async function ask(known: Grid | null): Promise<Grid | null> {
    const number = round()
    if (number === 0) return null
    const seen = pulse.value?.calls ?? 0
    const news = known && pulse.value ? newsFor(known, pulse.value, calls, number !== null && number !== pulse.value.round) : 'all'
    if (known && news === 'nothing') return known
    const next = await (known && news === 'changes' ? readChanges(id, known) : readTables(id, number))
    calls = seen
    return next
  }

  const polled: Polled<Grid | null> = usePolled<Grid | null>(ask, {
    interval: () => fullLookAfter(polled.data.value?.tables.length ?? 0),
    source: round,
    stir: () => pulse.value?.v,
    gap: SOON,
  })
  return polled
}
