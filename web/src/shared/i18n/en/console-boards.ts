import type { Translation } from '../translate'
import type zh from '../zh/console-boards'

const en: Translation<typeof zh> = {
  menuBoards: 'Boards and hands',
  boardsText: 'Levels and first leaders of every board in one click; recording hands changes no result.',
  generate: 'Generate',
  generateAgain: 'Generate again',
  seedIs: 'Seed {seed}',
  noPresets: 'No levels yet',
  noPresetsText: 'Without them, scoring shows no levels.',
  boardSetOf: 'Set {n} (boards {first}–{last})',
  boardN: 'Board {n}',
  hands: 'Hands',
  handsOf: 'Round {round}, board {board}',
  handsOfSet: 'Set {set}, board {board}',
  handsAreRecorded: 'Recorded',
  handsProposed: 'From the seed, not recorded',
  handsText: '27 cards each: S, H, D, C for the suits, B* big joker, L* small joker, with blanks between them.',
  handsRecorded: 'Checked and recorded',
  recordHands: 'Check and record',
  printHands: 'Print',
  seatNorth: 'North',
  seatEast: 'East',
  seatSouth: 'South',
  seatWest: 'West',
  bigJoker: 'Big joker',
  smallJoker: 'Small joker',
}

export default en
