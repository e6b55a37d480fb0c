import { api, type Schemas } from '../../shared/api'
import { t } from '../../shared/i18n/console'
import { tableName } from '../../shared/officials/table-words'
import { showUndo } from '../../shared/ui/toasts'
import { useEvent } from '../frame/event-context'
import { useActing } from '../kit/acting'

type Call = Schemas['CallView']
type CallAct = 'taking' | 'closing' | 'returning'

/** Answering the players who call for a referee; `changed` looks again. */
export function useCalls(changed: () => Promise<void>) {
  const { id } = useEvent()
  const { busy, act } = useActing()

  const send = (call: Call, what: CallAct) => {
    const path = { event_id: id, call_id: call.call }
    return act<unknown>((idempotencyKey) => {
      if (what === 'taking') return api.post('/api/events/{event_id}/calls/{call_id}/taking', { path, body: { by: '' }, idempotencyKey })
      if (what === 'closing') return api.post('/api/events/{event_id}/calls/{call_id}/closing', { path, idempotencyKey })
      return api.post('/api/events/{event_id}/calls/{call_id}/returning', { path, idempotencyKey })
    })
  }
  async function answer(call: Call, what: CallAct, words: string, opposite: CallAct): Promise<void> {
    const done = await send(call, what)
    if (done !== undefined) {
      showUndo(words, async () => {
        await send(call, opposite)
        await changed()
      })
    }
    await changed()
  }
  return {
    busy,
    take: (call: Call) => answer(call, 'taking', t('callTook', { table: tableName(call) }), 'returning'),
    close: (call: Call) => answer(call, 'closing', t('callClosed', { table: tableName(call) }), 'returning'),
    giveBack: (call: Call) => answer(call, 'returning', t('callReturned', { table: tableName(call) }), 'taking'),
  }
}
