import { ref, watchEffect } from 'vue'
import type { Rows } from './pages'

/**
 * Sizes of letters by the picture's size: normal for a projection of 2 m and more, `large` for smaller ones,
 * `tv` for a television (which serves the nearest rows only). Sizes are in screen.css.
 */
export const LETTERS = ['normal', 'large', 'tv'] as const
export type Letters = (typeof LETTERS)[number]

export const ROWS: Record<Letters, Rows> = {
  normal: { single: 11, double: 8 },
  large: { single: 9, double: 6 },
  tv: { single: 7, double: 5 },
}

const STORED = 'guanjun:screen-letters'

function stored(): Letters {
  try {
    return LETTERS.find((size) => size === localStorage.getItem(STORED)) ?? 'normal'
  } catch {
    return 'normal'
  }
}

export const letters = ref<Letters>(stored())

/** Larger (+1) or smaller (-1) letters, remembered on this computer. */
export function changeLetters(by: 1 | -1): void {
  letters.value = LETTERS[LETTERS.indexOf(letters.value) + by] ?? letters.value
  try {
    localStorage.setItem(STORED, letters.value)
  } catch {
    // not remembered
  }
}

watchEffect(() => document.documentElement.setAttribute('data-letters', letters.value))
