import { computed, ref, shallowRef, type ComputedRef, type ShallowRef } from 'vue'
import { useRouter } from 'vue-router'
import { api, ApiError, type Schemas } from '../../shared/api'
import { t } from '../../shared/i18n/console'
import { showToast } from '../../shared/ui/toasts'
import { useEvent } from '../frame/event-context'
import { useActing } from '../kit/acting'

type Job = Schemas['DrawingJob']

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

/** How far a large drawing is, by event; null while none is under way. Kept across pages like the refusal. */
export const drawProgress: ShallowRef<{ event: string; job: Job; since: number } | null> = shallowRef(null)

const REFUSALS = ['open_tables', 'no_legal_pairing', 'too_few_entries', 'all_rounds_drawn']
const PAUSE = 700
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Cancels the drawing that is shown; whoever waits for it hears of it. Rejects with an ApiError. */
export async function cancelDrawing(): Promise<void> {
  const shown = drawProgress.value
  if (!shown) return
  const path = { event_id: shown.event, job_id: shown.job.job_id }
  await api.post('/api/events/{event_id}/drawing/{job_id}/cancellation', { path })
}

/** A job's problem as the error a request would have been answered with. */
export function problemOfJob(problem: Schemas['StepProblem']): ApiError {
  const { code, detail_zh, detail_en, current } = problem
  return new ApiError(409, { code, detail_zh, detail_en, current })
}

export interface Drawing {
  /** Also while a drawing that another page of the console began is under way. */
  busy: ComputedRef<boolean>
  draw: (acceptProposal?: boolean) => Promise<void>
}

/** Draws the next round (a large field takes a while, with progress) and shows it, or shows why not. */
export function useDrawing(): Drawing {
  const { id, event, refresh } = useEvent()
  const router = useRouter()
  const { act } = useActing()
  const asking = ref(false)
  const busy = computed(() => asking.value || drawProgress.value?.event === id)

  function refused(error: ApiError): void {
    const current = error.problem.current as { tables?: unknown } | null | undefined
    drawRefusal.value = {
      event: id,
      error,
      openTables: error.code === 'open_tables' ? ((current?.tables as number[] | undefined) ?? []) : [],
      proposal: error.code === 'no_legal_pairing' ? ((current as Proposal | null | undefined) ?? null) : null,
    }
    void router.push({ name: 'rounds', params: { number: '' } })
  }

  async function finished(first: Job): Promise<Job> {
    const since = Date.now()
    let job = first
    while (!job.over) {
      drawProgress.value = { event: id, job, since }
      await pause(PAUSE)
      try {
        job = await api.get('/api/events/{event_id}/drawing/{job_id}', { path: { event_id: id, job_id: job.job_id } })
      } catch (error) {
        if (!(error instanceof ApiError) || !error.temporary) throw error
      }
    }
    if (job.problem) throw problemOfJob(job.problem)
    return job
  }

  async function draw(acceptProposal = false): Promise<void> {
    drawRefusal.value = null
    asking.value = true
    try {
      const job = await act(
        async (idempotencyKey) =>
          finished(
            await api.post('/api/events/{event_id}/drawing', {
              path: { event_id: id },
              body: { accept_proposal: acceptProposal },
              idempotencyKey,
              timeout: 29_000,
            }),
          ),
        { codes: Object.fromEntries(REFUSALS.map((code) => [code, refused])) },
      )
      await refresh()
      if (job?.phase === 'cancelled') showToast(t('drawCancelled'))
      else if (job) await router.push({ name: 'rounds', params: { number: String(job.round ?? event.value.last_round) } })
    } finally {
      drawProgress.value = null
      asking.value = false
    }
  }
  return { busy, draw }
}
