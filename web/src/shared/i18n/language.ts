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

let englishIsHere: () => Promise<void> = () => Promise.resolve()
let comesLater = false

/** Says how English is fetched where it is not part of the page: nothing is shown in it before it is here. */
export function englishComesLater(load: () => Promise<void>): void {
  englishIsHere = load
  comesLater = true
}

/** Resolves when the page can be shown in its language: without a network a page that lacks English stays Chinese. */
export async function languageReady(): Promise<void> {
  if (language.value !== 'en') return
  await englishIsHere().catch(() => {
    language.value = 'zh'
  })
}

/** Switches the language and remembers it on this device. */
export function setLanguage(next: Language): void {
  if (next === 'en' && comesLater) {
    englishIsHere().then(
      () => {
        language.value = next
      },
      () => undefined,
    )
  } else language.value = next
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
