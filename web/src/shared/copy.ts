/** Puts text on the clipboard; false when the browser refuses. Halls serve plain HTTP, where the Clipboard API is missing. */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text)
      return true
    }
  } catch {
    // refused by permission: the old way below may still work
  }
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'visually-hidden'
  document.body.appendChild(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  return copied
}
