import { onScopeDispose, ref, type Ref } from 'vue'

const CURSOR_LIFE = 3000
const RELOAD_AFTER = 6 * 3600_000

/** True for a few seconds after the mouse moved: the cursor and the hint of keys show only then. */
export function useAttention(): Ref<boolean> {
  const attention = ref(false)
  let timer: ReturnType<typeof setTimeout> | undefined
  const moved = (): void => {
    attention.value = true
    clearTimeout(timer)
    timer = setTimeout(() => {
      attention.value = false
    }, CURSOR_LIFE)
  }
  addEventListener('mousemove', moved)
  onScopeDispose(() => {
    clearTimeout(timer)
    removeEventListener('mousemove', moved)
  })
  return attention
}

/** Keeps the computer from dimming its display. Where the browser has no wake lock, the organizer's guide helps. */
export function useWakeLock(): void {
  const request = (): void => {
    if (!document.hidden && 'wakeLock' in navigator) navigator.wakeLock.request('screen').catch(() => undefined)
  }
  request()
  document.addEventListener('visibilitychange', request)
  onScopeDispose(() => document.removeEventListener('visibilitychange', request))
}

/** A page that stands for days is loaded anew every six hours, at a moment when nobody is playing. */
export function useFreshPage(quiet: () => boolean): void {
  const loadedAt = Date.now()
  const timer = setInterval(() => {
    if (Date.now() - loadedAt > RELOAD_AFTER && quiet()) window.location.reload()
  }, 60_000)
  onScopeDispose(() => clearInterval(timer))
}

export function toggleFullScreen(): void {
  if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined)
  else void document.documentElement.requestFullscreen?.().catch(() => undefined)
}
