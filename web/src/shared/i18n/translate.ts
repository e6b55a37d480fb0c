import { language } from './language'

export type Messages = Readonly<Record<string, string>>

/** The other language's catalogue: exactly the same keys, so that a missing translation fails the type check. */
export type Translation<M extends Messages> = { readonly [K in keyof M]: string }

/** The names in braces of a message: `第 {round} 轮` -> `round`. */
type Names<S extends string> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never

export type Variables<S extends string> = [Names<S>] extends [never]
  ? []
  : [variables: { [N in Names<S>]: string | number }]

export type Translate<M extends Messages> = <K extends keyof M & string>(
  key: K,
  ...variables: Variables<M[K]>
) => string

const HAN = /[\u3400-\u9fff]/
const LATIN = /[A-Za-z0-9]/

/** Between Chinese and Latin writing stands a space: wherever a Latin name comes into a Chinese sentence. */
function spaced(before: string, text: string, after: string): string {
  if (!/[A-Za-z]/.test(text)) return text
  const left = HAN.test(before) && LATIN.test(text.charAt(0)) ? ' ' : ''
  const right = LATIN.test(text.slice(-1)) && HAN.test(after) ? ' ' : ''
  return left + text + right
}

const PLACE = /\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g

/**
 * Fills the places of a message. `{n}` is the value itself; `{n|team|teams}` (English only) is the singular or
 * plural word for it.
 */
export function fill(message: string, variables: Readonly<Record<string, string | number>> = {}): string {
  return message.replace(PLACE, (place, name: string, one: string | undefined, many: string | undefined, at: number) => {
    const value = variables[name]
    if (one === undefined) return value === undefined ? '' : spaced(message.charAt(at - 1), String(value), message.charAt(at + place.length))
    return (Number(value) === 1 ? one : many) ?? ''
  })
}

/**
 * `t(key, variables)` over one page's catalogue in both languages; keys and variables are checked by type. English may
 * be put together when it is first read: on the phone it comes later (i18n/later.ts).
 */
export function translator<M extends Messages>(zh: M, en: Translation<M> | (() => Translation<M>)): Translate<M> {
  let english: Translation<M> | null = typeof en === 'function' ? null : en
  return (key, ...variables) => {
    let message: string | undefined = zh[key]
    if (language.value !== 'zh') {
      english ??= (en as () => Translation<M>)()
      message = english[key]
    }
    return fill(message ?? '', variables[0])
  }
}
