import { t } from '../../shared/i18n/console'

export const SEATS = ['N', 'E', 'S', 'W'] as const
export type Seat = (typeof SEATS)[number]

const WORDS = { N: 'seatNorth', E: 'seatEast', S: 'seatSouth', W: 'seatWest' } as const
export const seatWords = (seat: string): string => (seat in WORDS ? t(WORDS[seat as Seat]) : seat)

const SUITS: Record<string, string> = { S: '♠', H: '♥', D: '♦', C: '♣' }
/** A card as people write it: `♠10`, 大王 and 小王 by their words. */
export function cardWords(card: string): string {
  if (card === 'B*') return t('bigJoker')
  if (card === 'L*') return t('smallJoker')
  return (SUITS[card.charAt(0)] ?? card.charAt(0)) + card.slice(1)
}
/** The cards typed for one hand: codes with blanks or commas between them, in any case. */
export function cardsOf(text: string): string[] {
  return text.toUpperCase().split(/[\s,，、]+/).filter((card) => card !== '')
}
