import { resultOf } from '../boards'
import { t } from '../i18n/officials'
import { entryName, levelWords, sameScore, scoreText, sideWords, signed, type Score, type Side } from '../score-words'
import { tableGroup, type TableGroup, type TableView } from '../table-groups'
import { wordOf } from './ruling-score'

/** How a table is called: its number, with the room where a match has two. */
export function tableName(table: { match: number; room: string | null }): string {
  return table.room === null ? t('table', { table: table.match }) : t('tableInRoom', { table: table.match, room: roomWords(table.room) })
}

export const roomWords = (room: string): string => (room === 'closed' ? t('roomClosed') : t('roomOpen'))

/** A side as officials call it: by where it sits, or by its team where a match has two rooms and it sits in both. */
export function sideName(table: TableView, side: Side): string {
  return table.room === null ? sideWords(side) : entryName(side === 'ns' ? table.ns : table.ew)
}

/** A table's score in the fewest words. */
export function resultText(table: TableView, score: Score): string {
  if (score.outcome === 'ns_forfeit') return t('scoreForfeit', { side: sideName(table, 'ns') })
  return score.outcome === 'ew_forfeit' ? t('scoreForfeit', { side: sideName(table, 'ew') }) : scoreText(score)
}

/** How long something has lasted, in whole minutes of server time. */
export const minutesSince = (since: number, now: number): number => Math.max(0, Math.floor((now - since) / 60_000))

/** One line of the two sides' words beside each other. */
export interface WordRow {
  key: string
  label: string
  /** Whose level it is. */
  name: string
  ns: string
  ew: string
  differs: boolean
}

/**
 * What both sides said, line by line: levels with their laps, the winner they name, or the boards. Behind levels only
 * those boards are shown on which the two differ: they say where the mistake is.
 */
export function wordRows(table: TableView, byBoards: boolean): WordRow[] {
  const words = { ns: wordOf(table, 'ns')?.score ?? null, ew: wordOf(table, 'ew')?.score ?? null }
  const row = (key: string, label: string, cell: (score: Score) => string, name = ''): WordRow => {
    const [ns, ew] = [words.ns && cell(words.ns), words.ew && cell(words.ew)]
    return { key, label, name, ns: ns ?? '–', ew: ew ?? '–', differs: ns !== null && ew !== null && ns !== ew }
  }
  const said = [words.ns, words.ew].filter((score): score is Score => score !== null)
  if (said.length > 0 && said.some((score) => score.outcome !== 'played')) return [row('outcome', t('outcome'), (score) => resultText(table, score))]
  const numbers = new Set([...table.to_play, ...said.flatMap((score) => score.boards)].map((one) => one.board))
  const boards = [...numbers].sort((a, b) => a - b).map((number) => {
    const cell = (score: Score): string => boardText(resultOf(score.boards, number))
    return row(`board-${number}`, byBoards ? String(number) : t('boardNumber', { board: number }), cell)
  })
  if (byBoards) return boards
  const level = (side: Side): WordRow => {
    const cell = (score: Score): string => (side === 'ns' ? levelWords(score.ns_level, score.ns_lap) : levelWords(score.ew_level, score.ew_lap))
    return row(side, sideWords(side), cell, entryName(side === 'ns' ? table.ns : table.ew))
  }
  const winner = row('winner', t('winner'), (score) => (score.winner === null ? t('winnerByLevels') : sideWords(score.winner as Side)))
  const named = said.some((score) => score.winner !== null)
  const agree = words.ns !== null && words.ew !== null && sameScore(words.ns, words.ew)
  return [level('ns'), level('ew'), ...(named ? [winner] : []), ...(agree ? [] : boards.filter((one) => one.differs))]
}

/** A board's result as the pair in 南北 sees it: +3, −1; a dash while there is none. */
export const boardText = (result: number | null): string => (result === null ? '–' : signed(result))

/** What a card says of the result: what counts, else what is in question, else what is being entered. */
export function cardText(table: TableView): string {
  if (table.result) return resultText(table, table.result)
  if (table.word_ns && table.word_ew) {
    const [ns, ew] = [resultText(table, table.word_ns.score), resultText(table, table.word_ew.score)]
    return ns === ew ? ns : `${ns} ≠ ${ew}`
  }
  const word = table.word_ns ?? table.word_ew
  if (word) return resultText(table, word.score)
  return table.running ? t('runningNow', { score: scoreText(table.running.score) }) : ''
}

const TONES: Record<TableGroup, 'neutral' | 'good' | 'warn' | 'bad' | 'info'> = {
  disputed: 'bad',
  one_sided: 'warn',
  open: 'neutral',
  postponed: 'info',
  confirmed: 'good',
  ruled: 'good',
}
export const toneOf = (table: TableView): (typeof TONES)[TableGroup] => TONES[tableGroup(table)]
export const groupTone = (group: TableGroup): (typeof TONES)[TableGroup] => TONES[group]
