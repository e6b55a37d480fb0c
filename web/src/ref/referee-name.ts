import { ref } from 'vue'

const STORED = 'guanjun:referee-name'
/** As the server takes it. */
export const MOST_LETTERS = 20

/** As much of a typed name as the server takes: no letter that nobody sees, and none cut in half. */
export function neatName(typed: string): string {
  const seen = typed.replace(/\p{C}/gu, '').trim()
  return Array.from(seen).slice(0, MOST_LETTERS).join('').trim()
}

function kept(): string {
  try {
    return neatName(localStorage.getItem(STORED) ?? '')
  } catch {
    return '' // refused: asked again at the next start
  }
}

/** What the referee on this device is called; empty while they have not said. Links are shared, so only they know. */
export const refereeName = ref(kept())

export function callMe(name: string): void {
  refereeName.value = neatName(name)
  try {
    localStorage.setItem(STORED, refereeName.value)
  } catch {
    // not remembered, still used until the page is closed
  }
}
