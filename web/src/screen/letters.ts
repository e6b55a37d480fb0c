import { computed, onScopeDispose, ref, watchEffect, type ComputedRef } from 'vue'
import { language } from '../shared/i18n/language'
import type { Rows } from './pages'

/**
 * Sizes of letters by the picture's size: normal for a projection of 2 m and more, `large` for smaller ones,
 * `tv` for a television (which serves the nearest rows only). Sizes are in screen.css.
 */
export const LETTERS = ['normal', 'large', 'tv'] as const
export type Letters = (typeof LETTERS)[number]

/** What fits the picture. */
export interface Layout {
  rows: Rows
  /** Criteria columns of the standings, the decisive ones first. */
  criteria: number
  /** Do the standings have room for the players' names, and the lists by name, of one room and of two? */
  players: boolean
  besides: { names: boolean; rooms: boolean; winners: boolean }
  /** Han characters of a name at full size, by view; `alone` are standings without players. */
  fits: { standings: number; alone: number; names: number; rooms: number; tables: number; calendar: number; winners: number }
}

const ROWS: Record<Letters, Rows> = {
  normal: { single: 11, double: 7 },
  large: { single: 9, double: 6 },
  tv: { single: 7, double: 5 },
}

// The same lengths as in screen.css: vh, and column widths in letters.
const LETTER: Record<Letters, number> = { normal: 4.2, large: 5, tv: 6.7 }
const SMALL_LETTER: Record<Letters, number> = { normal: 3.3, large: 3.8, tv: 4.6 }
const EDGES = 2 * 5.4
const CELL_PADDING = 2.4
const RANK_AND_MOVE = 3 + 2.3
/** A column of a criterion, in letters: wide enough for its name in two lines ("Opponents' / match points"). */
export const CRITERION = { zh: 4.2, en: 5 } as const
const TABLE_AND_SEAT = 2 * 3.6
const TABLE = 4.4
const TABLE_AND_ROOMS = 3.6 + 2 * 5.4
const TABLE_AND_RESULT = 3.6 + 6.2
const AWARD_AND_RANK = 8.4 + 2.6

/** What the standings give up first when the picture is narrow or the letters large. */
const STANDINGS_CHOICES = [
  { criteria: 3, players: true },
  { criteria: 2, players: true },
  { criteria: 2, players: false },
  { criteria: 1, players: false },
]
const LEAST_NAME = 8.5
/** Where names stand beside players, both need so much; else the players go. */
const LEAST_BESIDE = 11.5

/** The layout for a size of letters in a picture of this aspect (width by height), with columns of that `criterion`. */
export function layoutFor(size: Letters, aspect: number, criterion: number = CRITERION.zh): Layout {
  const letter = LETTER[size]
  const width = aspect * 100 - EDGES
  const nameFits = (taken: number, columns: number): number =>
    ((width - taken * letter) / columns - CELL_PADDING) / letter
  const choices = STANDINGS_CHOICES.map((choice) => ({
    ...choice,
    fits: nameFits(RANK_AND_MOVE + criterion * choice.criteria, choice.players ? 2 : 1),
  }))
  const fitting = choices.find((choice) => choice.fits >= LEAST_NAME)
  const { criteria, players, fits } = fitting ?? { criteria: 1, players: false, fits: LEAST_NAME }
  const beside = (taken: number): { players: boolean; fits: number } => {
    const both = nameFits(taken, 2)
    return both >= LEAST_BESIDE ? { players: true, fits: both } : { players: false, fits: nameFits(taken, 1) }
  }
  const [names, rooms, winners] = [beside(TABLE_AND_SEAT), beside(TABLE_AND_ROOMS), beside(AWARD_AND_RANK)]
  return {
    rows: ROWS[size],
    criteria,
    players,
    besides: { names: names.players, rooms: rooms.players, winners: winners.players },
    fits: {
      standings: fits,
      alone: nameFits(RANK_AND_MOVE + criterion * criteria, 1),
      names: names.fits,
      rooms: rooms.fits,
      tables: nameFits(TABLE, 2),
      calendar: nameFits(TABLE_AND_RESULT, 2),
      winners: winners.fits,
    },
  }
}

/** How much higher rows may be than where a picture is full: a few tables do not sit crowded above an empty half. */
const MOST_ROOM = 1.4

/** By how much rows are set apart where these are all there are; on one of several pictures they stay as they are. */
export function roomFor(shown: number, fit: number, alone: boolean): number {
  return alone && shown > 0 ? Math.max(1, Math.min(MOST_ROOM, fit / shown)) : 1
}

const STORED = 'guanjun:screen-letters'

function stored(): Letters {
  try {
    return LETTERS.find((size) => size === localStorage.getItem(STORED)) ?? 'normal'
  } catch {
    return 'normal'
  }
}

const letters = ref<Letters>(stored())
watchEffect(() => document.documentElement.setAttribute('data-letters', letters.value))

/** Larger (+1) or smaller (-1) letters, remembered on this computer. */
export function changeLetters(by: 1 | -1): void {
  letters.value = LETTERS[LETTERS.indexOf(letters.value) + by] ?? letters.value
  try {
    localStorage.setItem(STORED, letters.value)
  } catch {
    // not remembered
  }
}

/** How much more a line of small letters holds, a little less than the sizes say: bold letters are wider. */
export const smallHolds = computed(() => (0.97 * LETTER[letters.value]) / SMALL_LETTER[letters.value])

/** The layout of this window, following its size and the chosen letters. */
export function useLayout(): ComputedRef<Layout> {
  const aspect = ref(window.innerWidth / window.innerHeight)
  const resized = (): void => {
    aspect.value = window.innerWidth / window.innerHeight
  }
  addEventListener('resize', resized)
  onScopeDispose(() => removeEventListener('resize', resized))
  return computed(() => layoutFor(letters.value, aspect.value, CRITERION[language.value]))
}
