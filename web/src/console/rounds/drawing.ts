import { shallowRef } from 'vue'
import { useRouter } from 'vue-router'
import { api, type ApiError, type Schemas } from '../../shared/api'
import { useEvent } from '../frame/event-context'
import { useActing } from '../kit/acting'

/** What the drawing proposes: tables and byes, as in a round. */
export type Proposal = Pick<Schemas['RoundView'], 'tables' | 'byes'>

/** Why the next round could not be drawn, shown on the round's page until it is resolved. */
export interface DrawRefusal {
  event: string
  error: ApiError
  /** Tables that are still open, when they are the reason. */
  openTables: number[]
  /** What could be played with rematches, when nothing legal exists. */
  proposal: Proposal | null
}

/** Kept across pages: the overview draws too, and a refusal is dealt with on the round's page. */
export const drawRefusal = shallowRef<DrawRefusal | null>(null)

/** Draws the next round and shows it, or shows why not. */
export function useDrawing() {
  const { id, event, refresh } = useEvent()
  const router = useRouter()
  const { busy, act } = useActing()

  function refused(error: ApiError): void {
    const current = error.problem.current as { tables?: unknown } | null | undefined
    drawRefusal.value = {
      event: id,
      error,
      openTables: error.code === 'open_tables' ? ((current?.tables as number[] | undefined) ?? []) : [],
      proposal: error.code === 'no_legal_pairing' ? (current as Proposal) : null,
    }
    void router.push({ name: 'rounds', params: { number: '' } })
  }

  async function draw(acceptProposal = false): Promise<void> {
    drawRefusal.value = null
    const next = event.value.last_round + 1
    const drawn = await act(
      (idempotencyKey) =>
        api.post('/api/events/{event_id}/rounds', {
          path: { event_id: id },
          body: { accept_proposal: acceptProposal },
          idempotencyKey,
          timeout: 29_000,
        }),
      { codes: { open_tables: refused, no_legal_pairing: refused, too_few_entries: refused, all_rounds_drawn: refused } },
    )
    await refresh()
    if (drawn) await router.push({ name: 'rounds', params: { number: String(next) } })
  }
  return { busy, draw }
}
