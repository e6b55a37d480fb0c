import { ref } from 'vue'

const STORED = 'guanjun:referee-name'
/** As the server takes it. */
export const MOST_LETTERS = 20

function kept(): string {
  try {
    return localStorage.getItem(STORED) ?? ''
  } catch {
    return '' // refused: asked again at the next start
  }
}

/** What the referee on this device is called; empty while they have not said. Links are shared, so only they know. */
export const refereeName = ref(kept())

export function callMe(name: string): void {
  refereeName.value = name.trim().slice(0, MOST_LETTERS)
  try {
    localStorage.setItem(STORED, refereeName.value)
  } catch {
    // not remembered, still used until the page is closed
  }
}
