type Catalogue = Record<string, string>

/**
 * English that is fetched when somebody reads it. The phone's build puts `english(name)` in the place of every English
 * catalogue (vite/later-english.ts): Chinese readers, nearly all, never pay for it. Everywhere else nothing is empty
 * and `loadEnglish` has nothing to do.
 */
const empty = new Map<string, Catalogue>()
let whole: Record<string, Catalogue> | null = null
let loading: Promise<void> | null = null

/** A catalogue that is filled as soon as English is here. */
export function english(name: string): Catalogue {
  const catalogue = { ...whole?.[name] }
  empty.set(name, catalogue)
  return catalogue
}

/** Resolves when every English text is at hand; rejects without a network, and may then be asked again. */
export function loadEnglish(): Promise<void> {
  if (empty.size === 0) return Promise.resolve()
  loading ??= import('./english').then(
    (module) => {
      const all: Record<string, Catalogue> = module.default
      whole = all
      empty.forEach((catalogue, name) => Object.assign(catalogue, all[name]))
    },
    (error: unknown) => {
      loading = null
      throw error
    },
  )
  return loading
}
