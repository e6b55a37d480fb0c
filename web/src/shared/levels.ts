/** The levels a pair climbs (打几), lowest first; `A+` is 过A: the A was played and won. */
export const LEVELS = ['2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K', 'A', 'A+'] as const
export type Level = (typeof LEVELS)[number]
