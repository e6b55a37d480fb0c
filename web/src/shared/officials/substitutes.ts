import type { Schemas } from '../api'
import { t } from '../i18n/officials'
import { entryName } from '../score-words'

/** Who plays at a place of an entry: the person is known by an id, for a name may be another's too, or sealed. */
export type Place = Schemas['PlaceView']

/** 换人 as somebody decides it: the place of an entry, the person who goes and what they are called, who comes in, why. */
export type NewSubstitute = Schemas['SubstituteBody'] & { entry: number; gone: string }

/** What is sent of it: nobody is found by a name. */
export function substituteBody({ player, leaves, name, phone, reason }: NewSubstitute): Schemas['SubstituteBody'] {
  return { player, leaves, name, phone, reason }
}

/** Those who can go out together on a page: one entry, or one side of a table. */
export interface Group {
  name: string
  places: Place[]
}

/** The sides of a table with who plays there. Two persons who sit together are an entry each. */
export const groupsOf = (sides: Schemas['SeatedEntry'][], places: Place[]): Group[] =>
  sides.map((side) => ({ name: entryName(side), places: places.filter((one) => side.numbers.includes(one.entry)) }))

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
