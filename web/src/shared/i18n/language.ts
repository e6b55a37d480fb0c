import { ref, watchEffect } from 'vue'

export type Language = 'zh' | 'en'

const STORED = 'guanjun:language'

function stored(): Language | null {
  try {
    const value = localStorage.getItem(STORED)
    return value === 'zh' || value === 'en' ? value : null
  } catch {
    return null // storage refused (private mode): the browser's language decides
  }
}

function preferred(): Language {
  return /^zh/i.test(navigator.language || 'zh') ? 'zh' : 'en'
}

/** The page's language; everything shown through `t()` follows it at once. */
export const language = ref<Language>(stored() ?? preferred())

/** Switches the language and remembers it on this device. */
export function setLanguage(next: Language): void {
  language.value = next
  try {
    localStorage.setItem(STORED, next)
  } catch {
    // not remembered, still switched
  }
}

/** The one of two texts that fits the page's language (server texts come as a pair). */
export function inLanguage(zh: string, en: string): string {
  return language.value === 'zh' ? zh || en : en || zh
}

watchEffect(() => {
  document.documentElement.lang = language.value === 'zh' ? 'zh-CN' : 'en'
})
