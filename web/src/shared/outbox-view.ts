import { computed, onScopeDispose, ref, type ComputedRef, type Ref } from 'vue'
import { t } from './i18n/shared'
import type { Outbox, OutboxItem } from './outbox'

export type SyncState = 'synced' | 'waiting' | 'offline' | 'held'

export interface OutboxView {
  items: Ref<OutboxItem[]>
  waiting: ComputedRef<number>
  online: Ref<boolean>
  state: ComputedRef<SyncState>
  /** The words of the sync pill, always one of: 已同步, 待传 n, 离线, 离线 · 待传 n, 请重新确认身份. */
  words: ComputedRef<string>
}

/** An outbox as reactive state for a component; starts it and stops it with the component. */
export function useOutbox(outbox: Outbox): OutboxView {
  const items = ref<OutboxItem[]>([])
  const held = ref(false)
  const online = ref(navigator.onLine !== false)
  const unsubscribe = outbox.subscribe((next) => {
    items.value = next
    held.value = outbox.held
  })
  const stop = outbox.start()
  const network = (): void => {
    online.value = navigator.onLine !== false
  }
  addEventListener('online', network)
  addEventListener('offline', network)
  onScopeDispose(() => {
    unsubscribe()
    stop()
    removeEventListener('online', network)
    removeEventListener('offline', network)
  })

  const waiting = computed(() => items.value.filter((item) => item.state === 'waiting').length)
  // navigator.onLine stays true on a Wi-Fi that leads nowhere: a failed attempt tells more.
  const unreachable = computed(() => items.value.some((item) => item.state === 'waiting' && item.problem?.status === 0))
  const state = computed<SyncState>(() => {
    if (held.value && waiting.value > 0) return 'held'
    if (!online.value || unreachable.value) return 'offline'
    return waiting.value > 0 ? 'waiting' : 'synced'
  })
  const words = computed(() => {
    const n = waiting.value
    if (state.value === 'held') return t('outboxHeld')
    if (state.value === 'offline') return n > 0 ? t('outboxOfflineWaiting', { n }) : t('outboxOffline')
    return n > 0 ? t('outboxWaiting', { n }) : t('outboxSynced')
  })
  return { items, waiting, online, state, words }
}
