/** What a chart is drawn into, all in pixels: outer size, and the height of a letter, by which margins are measured. */
export interface Box {
  width: number
  height: number
  letter: number
}

export interface RankLine {
  entry: number
  name: string
  /** After each round; null where the entry had no rank yet. */
  ranks: (number | null)[]
}

/** Ranks beyond this are drawn ever closer together, so that the top keeps its room. */
const FEW_RANKS = 16

/** Height of a rank between 0 (first) and 1 (last). */
export function rankHeight(rank: number, last: number): number {
  if (last <= 1) return 0.5
  if (last <= FEW_RANKS) return (rank - 1) / (last - 1)
  return (Math.sqrt(rank) - 1) / (Math.sqrt(last) - 1)
}

/** Labels at least `gap` apart, in the order given, as near as possible to where they belong, none beyond `most`. */
export function spread(wanted: number[], gap: number, most: number): number[] {
  const placed: number[] = []
  for (const [index, at] of wanted.entries()) placed.push(index === 0 ? at : Math.max(at, (placed[index - 1] ?? 0) + gap))
  let limit = most
  for (let index = placed.length - 1; index >= 0; index -= 1) {
    placed[index] = Math.min(placed[index] ?? 0, limit)
    limit = (placed[index] ?? 0) - gap
  }
  return placed
}

/** The entries that a chart names: the best after the last round, and one that is asked for besides. */
export function linesShown(all: RankLine[], most: number, highlighted: number | null): RankLine[] {
  const last = (line: RankLine): number => line.ranks[line.ranks.length - 1] ?? Infinity
  const best = [...all].sort((a, b) => last(a) - last(b) || a.entry - b.entry)
  const shown = best.slice(0, most)
  const asked = highlighted === null ? undefined : best.find((line) => line.entry === highlighted)
  if (asked && !shown.includes(asked)) shown.splice(most - 1, 1, asked)
  return shown
}

/** Width of a text in letters: a Han letter is one wide, others about half. */
export function textWidth(text: string): number {
  return [...text].reduce((width, letter) => width + (/[\u2e80-\uffdc]/.test(letter) ? 1 : 0.56), 0)
}

/** Of the picture, what names beside the lines may take: the lines keep more than half. */
const NAMES_SHARE = 0.42

/** Pixels that the names beside the lines get: as much as the longest needs, and never more than their share. */
export function namesWidth(lines: RankLine[], { width, letter }: Pick<Box, 'width' | 'letter'>): number {
  return Math.min((0.6 + Math.max(0, ...lines.map((line) => textWidth(line.name)))) * letter, width * NAMES_SHARE)
}

/** Do all names stand whole beside the lines? Else the lines are numbered, and the names stand below. */
export function namesFit(lines: RankLine[], box: Pick<Box, 'width' | 'letter'>): boolean {
  return namesWidth(lines, box) < box.width * NAMES_SHARE
}

/** Lines in the order in which they end, each with the colour it has in the chart. */
export function byEnd(lines: RankLine[]): { line: RankLine; colour: number; rank: number | null }[] {
  return lines
    .map((line, index) => ({ line, colour: index % COLOURS, rank: line.ranks[line.ranks.length - 1] ?? null }))
    .sort((a, b) => (a.rank ?? Infinity) - (b.rank ?? Infinity) || a.line.entry - b.line.entry)
}
/** Dark enough on white and light enough on the screen's ground is no colour; so the page says which set it needs. */
const COLOURS = 8

/** A round number at or above `value` that divides an axis well: 1, 2, 5, 10, 20, 50 … times a whole number. */
export function niceStep(value: number, parts: number): number {
  const rough = Math.max(1, value / parts)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough)
  return step ?? rough
}

/** Marks of an axis from 0 to `most`, at most `parts` of them. */
export function ticks(most: number, parts: number): number[] {
  const step = niceStep(most, parts)
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => index * step)
}
