import { onScopeDispose } from 'vue'
import { useRouter } from 'vue-router'
import { MENU } from './menu'

/** How long after `g` a letter still counts, ms. */
const CHORD = 1200

function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}

/** `/` searches, `g` and a letter jumps to a page, `?` shows the list. Nothing happens while somebody types or a
 * dialog is open. */
export function useShortcuts(showHelp: () => void): void {
  const router = useRouter()
  let waitingUntil = 0

  function onKeydown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return
    if (document.querySelector('[role=dialog]')) return
    const item = MENU.find(({ letter }) => letter === event.key.toLowerCase())
    if (Date.now() < waitingUntil && item) {
      event.preventDefault()
      waitingUntil = 0
      void router.push({ name: item.name })
    } else if (event.key === 'g') {
      waitingUntil = Date.now() + CHORD
    } else if (event.key === '/') {
      const search = document.querySelector<HTMLInputElement>('input[type=search]')
      if (!search) return
      event.preventDefault()
      search.focus()
    } else if (event.key === '?') {
      showHelp()
    }
  }
  document.addEventListener('keydown', onKeydown)
  onScopeDispose(() => document.removeEventListener('keydown', onKeydown))
}
