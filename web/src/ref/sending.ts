import { t } from '../shared/i18n/ref'
import type { Outbox, OutboxItem } from '../shared/outbox'
import { sayRedraw } from '../shared/officials/redraw'
import { errorText } from '../shared/problem'
import { dismissToast, showToast, showUndo } from '../shared/ui/toasts'
import type { Hall, Table } from './use-hall'

/** Something a referee does: where it goes, what of, and how it is taken back once the server has done it. */
export interface Act {
  path: string
  body: Record<string, unknown>
  /** POST unless it says otherwise. */
  method?: 'POST' | 'PUT'
  /** What the page needs to show it while it waits; `words` say what it is. */
  about: { words: string } & Record<string, unknown>
  undo: (reply: unknown) => Promise<unknown>
}

/** The toasts that offer to undo an act, by the act's key. */
const offers = new Map<string, number>()

/** An act the server refused is not done: what says so must not stand beside its refusal. */
export function withdrawOffer(key: string): void {
  const toast = offers.get(key)
  if (toast !== undefined) dismissToast(toast)
  offers.delete(key)
}

/** The item once the server has answered it; undefined when it was taken away meanwhile. */
function finished(queue: Outbox, key: string): Promise<OutboxItem | undefined> {
  return new Promise((resolve) => {
    const stop = queue.subscribe((items) => {
      const item = items.find((other) => other.key === key)
      if (item?.state === 'waiting') return
      stop()
      resolve(item)
    })
  })
}

/** Keeps an act on the device and sends it as soon as it can be; null when the device cannot keep it, which is said. */
export async function send(hall: Hall, act: Omit<Act, 'undo'>): Promise<OutboxItem | null> {
  try {
    return await hall.queue.enqueue(`/api/events/${encodeURIComponent(hall.event)}${act.path}`, act.body, act.about, act.method)
  } catch (error) {
    showToast(t('cannotKeep', { why: errorText(error) }), 'error')
    return null
  }
}

/** Sends, says it, and offers for ten seconds to take it back: out of the outbox if it is still there, else by its undo. */
export async function perform(hall: Hall, act: Act): Promise<boolean> {
  const item = await send(hall, act)
  if (item === null) return false
  const offer = showUndo(act.about.words, async () => {
    const now = (await hall.queue.items()).find((other) => other.key === item.key)
    if (now?.state === 'waiting' && now.tries === 0 && !hall.queue.isUnderWay(item.key)) await hall.queue.discard(item.key)
    else {
      // Tried already, or on its way: it may have arrived without our hearing of it, so its undo waits for the answer.
      const answered = await finished(hall.queue, item.key)
      if (answered?.state === 'done') await act.undo(answered.reply)
    }
    await hall.refresh()
  })
  offers.set(item.key, offer)
  void finished(hall.queue, item.key).then((answered) => {
    if (answered?.state === 'done' && answered.about['table'] !== undefined && answered.reply) sayRedraw(answered.reply as Table)
  })
  return true
}
