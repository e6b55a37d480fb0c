import { computed, ref, watch, type ComputedRef, type Ref } from 'vue'
import { api } from '../../shared/api'
import { t } from '../../shared/i18n/console'
import { Outbox, type OutboxItem } from '../../shared/outbox'
import { DeviceStore } from '../../shared/outbox-store'
import { useOutbox, type OutboxView } from '../../shared/outbox-view'
import { errorText } from '../../shared/problem'
import { dismissToast, showToast, showUndo } from '../../shared/ui/toasts'
import { usePolled, type Polled } from '../kit/use-polled'
import type { Schemas } from '../../shared/api'
import type { DeskEntry } from './desk-search'

export interface Desk {
  roster: Polled<Schemas['EntryNames']>
  outbox: OutboxView
  /** Everybody who takes part, with what this desk has said and the server has not heard yet. */
  entries: ComputedRef<DeskEntry[]>
  /** Numbers whose check-in (or its undo) is still on this device. */
  waiting: ComputedRef<Set<number>>
  rejected: ComputedRef<OutboxItem[]>
  checkIn: (entry: DeskEntry, checkedIn: boolean) => Promise<void>
  putAway: (key: string) => Promise<void>
  sendNow: () => void
  /** Local ms of the roster while the server cannot be reached, else null. */
  staleSince: Ref<number | null>
}

export const named = (entry: DeskEntry): string => entry.name || entry.players.join(' / ')

/** The roster as it will be once everything waiting has arrived, oldest intent first. */
export function withWaiting(entries: DeskEntry[], waiting: OutboxItem[]): DeskEntry[] {
  const said = new Map<number, OutboxItem>()
  for (const item of waiting) said.set(Number(item.about['number']), item)
  return entries.map((entry) => {
    const item = said.get(entry.number)
    if (!item) return entry
    const here = item.about['checked_in'] === true
    if (here === (entry.checked_in_at !== null)) return entry
    return { ...entry, checked_in_at: here ? item.createdAt : null, checked_in_by: here ? 'desk' : null }
  })
}

/** Milliseconds between two looks at what the other desks did: the longer the list, the dearer it is to read. */
const LOOKS = { least: 3000, ofAnEntry: 2 } as const

/** 签到台: a tap is kept on the device first and sent as soon as there is a network, in the order of the taps. */
export function useDesk(event: string): Desk {
  const roster: Polled<Schemas['EntryNames']> = usePolled(() => api.get('/api/events/{event_id}/entry-names', { path: { event_id: event } }), {
    interval: () => LOOKS.least + LOOKS.ofAnEntry * (roster.data.value?.entries.length ?? 0),
  })
  const queue = new Outbox({ store: new DeviceStore(`desk-${event}`) })
  const outbox = useOutbox(queue)
  const offers = new Map<string, number>()

  const waitingItems = computed(() => outbox.items.value.filter((item) => item.state === 'waiting'))
  const playing = computed(() => (roster.data.value?.entries ?? []).filter((entry) => entry.state === 'in'))
  const arrived = ref(0)
  watch(outbox.items, (items) => {
    const done = items.filter((item) => item.state === 'done').length
    for (const item of items) {
      if (item.state !== 'rejected') continue
      // What was refused did not happen: no offer to undo it.
      const offer = offers.get(item.key)
      if (offer !== undefined) dismissToast(offer)
      offers.delete(item.key)
    }
    if (done !== arrived.value) void roster.refresh()
    arrived.value = done
  })

  async function send(entry: DeskEntry, checkedIn: boolean): Promise<OutboxItem | null> {
    const url = `/api/events/${encodeURIComponent(event)}/entries/${entry.number}/check-in`
    const about = { number: entry.number, checked_in: checkedIn, name: named(entry) }
    try {
      return await queue.enqueue(url, { checked_in: checkedIn }, about, 'PUT')
    } catch (error) {
      showToast(t('deskCannotKeep', { why: errorText(error) }), 'error')
      return null
    }
  }

  async function checkIn(entry: DeskEntry, checkedIn: boolean): Promise<void> {
    const item = await send(entry, checkedIn)
    if (item === null) return
    const words = checkedIn ? t('checkedIn', { name: named(entry) }) : t('checkedOut', { name: named(entry) })
    const offer = showUndo(words, async () => {
      const now = (await queue.items()).find((other) => other.key === item.key)
      // Not tried yet: as if it had never been said. Otherwise it may have arrived, so the opposite follows it.
      if (now?.state === 'waiting' && now.tries === 0) await queue.discard(item.key)
      else await send(entry, !checkedIn)
    })
    offers.set(item.key, offer)
  }

  return {
    roster,
    outbox,
    entries: computed(() => withWaiting(playing.value, waitingItems.value)),
    waiting: computed(() => new Set(waitingItems.value.map((item) => Number(item.about['number'])))),
    rejected: computed(() => outbox.items.value.filter((item) => item.state === 'rejected')),
    checkIn,
    putAway: (key) => queue.discard(key),
    sendNow: () => void queue.flush(true),
    staleSince: computed(() => (roster.error.value !== null ? roster.receivedAt.value : null)),
  }
}
