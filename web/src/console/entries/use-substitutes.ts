import { api, type Schemas } from '../../shared/api'
import { t } from '../../shared/i18n/console'
import { substituteBody, type NewSubstitute } from '../../shared/officials/substitutes'
import { showToast, showUndo } from '../../shared/ui/toasts'
import { useEvent } from '../frame/event-context'
import { useActing } from '../kit/acting'

type Substitution = Schemas['SubstitutionView']

export type Substitutes = ReturnType<typeof useSubstitutes>

/** 换人 by an organizer, each with its undo; `changed` when an entry has other players than before. */
export function useSubstitutes(changed: () => void) {
  const { id } = useEvent()
  const { busy, act } = useActing()

  async function takeBack(one: Substitution, reason: string): Promise<boolean> {
    const path = { event_id: id, number: one.entry, substitution_id: one.id }
    const done = await act((idempotencyKey) =>
      api.post('/api/events/{event_id}/entries/{number}/substitutions/{substitution_id}/removal', { path, body: { reason }, idempotencyKey }),
    )
    if (done) {
      showToast(t('substituteBack', { gone: one.gone }))
      changed()
    }
    return done !== undefined
  }

  async function substituteWithUndo(given: NewSubstitute): Promise<boolean> {
    const made = await act((idempotencyKey) =>
      api.post('/api/events/{event_id}/entries/{number}/substitutions', {
        path: { event_id: id, number: given.entry },
        body: substituteBody(given),
        idempotencyKey,
      }),
    )
    if (!made) return false
    changed()
    showUndo(t('substituteDone', { gone: made.gone, came: made.came }), async () => {
      await takeBack(made, t('undoReason'))
    })
    return true
  }
  return { busy, substituteWithUndo, takeBack }
}
