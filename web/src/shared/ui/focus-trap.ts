import { nextTick, onBeforeUnmount, onMounted, type Ref } from 'vue'

const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]'

/**
 * Keeps the keyboard inside a dialog while it is mounted, closes it on Escape, stops the page behind from scrolling,
 * and gives the focus back to what opened it.
 */
export function useFocusTrap(dialog: Ref<HTMLElement | null>, close: () => void): void {
  const opener = document.activeElement instanceof HTMLElement ? document.activeElement : null
  const scroll = document.body.style.overflow

  function onKeydown(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      event.stopPropagation()
      close()
    }
    if (event.key !== 'Tab' || !dialog.value) return
    const stops = Array.from(dialog.value.querySelectorAll<HTMLElement>(FOCUSABLE))
    const first = stops[0]
    const last = stops[stops.length - 1]
    if (!first || !last) return
    const outside = !dialog.value.contains(document.activeElement)
    if (event.shiftKey && (document.activeElement === first || outside || document.activeElement === dialog.value)) {
      event.preventDefault()
      last.focus()
    } else if (!event.shiftKey && (document.activeElement === last || outside)) {
      event.preventDefault()
      first.focus()
    }
  }

  onMounted(async () => {
    document.addEventListener('keydown', onKeydown, true)
    document.body.style.overflow = 'hidden'
    await nextTick()
    const wanted = dialog.value?.querySelector<HTMLElement>('[data-autofocus]')
    ;(wanted ?? dialog.value)?.focus()
  })
  onBeforeUnmount(() => {
    document.removeEventListener('keydown', onKeydown, true)
    document.body.style.overflow = scroll
    opener?.focus()
  })
}
