import type { Schemas } from '../api'
import { t } from '../i18n/officials'

type Seated = Schemas['SeatedEntry']

/** 换人 as somebody decides it: who goes out of which entry (the place within it), who comes in, and why. */
export interface NewSubstitute {
  entry: number
  player: number
  leaves: string
  name: string
  phone: string
  reason: string
}

/** A player of an entry who can make room for somebody. */
export interface Leaving {
  entry: number
  player: number
  name: string
}

/** The players of one side of a table. Two persons who sit together are an entry each. */
export function leavingOf(side: Pick<Seated, 'numbers' | 'players'>): Leaving[] {
  const persons = side.numbers.length > 1
  return side.players.map((name, place) => ({
    entry: (persons ? side.numbers[place] : side.numbers[0]) ?? 0,
    player: persons ? 0 : place,
    name,
  }))
}

/** Can a typed phone be one? Left empty it is not known; the server has the last word. */
export function phoneLooksRight(typed: string): boolean {
  const plain = typed
    .replace(/[０-９＋]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xfee0))
    .replace(/[\s()-]/g, '')
  return plain === '' || /^(\+\d{8,15}|1\d{10})$/.test(plain)
}

/** Why somebody is replaced: what happens most often, and a line of one's own. */
export const SUBSTITUTE_REASONS = ['ill', 'absent', 'leaves'] as const

export function substituteReason(code: (typeof SUBSTITUTE_REASONS)[number]): string {
  const words = { ill: t('substituteIll'), absent: t('substituteAbsent'), leaves: t('substituteLeaves') }
  return words[code]
}

/** One substitution in words: 甲 → 丙, from round 3. */
export const substitutionText = (one: Pick<Schemas['SubstitutionView'], 'gone' | 'came' | 'round'>): string =>
  t('substituted', { gone: one.gone, came: one.came, round: one.round })
