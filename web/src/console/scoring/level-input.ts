import { LEVELS, type Level } from '../../shared/levels'

/** What hands type for a level besides its own name: the number of the step, the letters of 过A. */
const ALIASES: Record<string, Level> = {
  '0': '10',
  T: '10',
  '11': 'J',
  '12': 'Q',
  '13': 'K',
  '14': 'A',
  '1': 'A',
  '15': 'A+',
  G: 'A+',
  GA: 'A+',
  过A: 'A+',
  过: 'A+',
  'A＋': 'A+',
  AA: 'A+',
}

/** A typed level (`a`, `11`, `过a`, full-width digits) or null. */
export function parseLevel(typed: string): Level | null {
  const text = typed
    .trim()
    .replace(/[０-９Ａ-Ｚａ-ｚ＋]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xfee0))
    .toUpperCase()
  return LEVELS.find((level) => level === text) ?? ALIASES[text] ?? null
}
