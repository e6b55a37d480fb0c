/** Width of a text in Han widths: a Han character is 1, a Latin letter or digit about half of that. */
export function hanWidth(text: string): number {
  let width = 0
  for (const character of text) width += characterWidth(character)
  return width
}

export function characterWidth(character: string): number {
  return /[\u1100-\u115f\u2e80-\uffdc]/.test(character) || (character.codePointAt(0) ?? 0) > 0xffff ? 1 : 0.53
}

/** Marks that must not begin a line. */
const NEVER_FIRST = /^[，。、；：！？）》」』”’…,.;:!?)\]}%]/

/** Breaks a text into lines of at most `width` Han widths: between Han characters, else at spaces. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.match(/[\u0021-\u024f]+|\s+|[^\u0021-\u024f\s]/g) ?? []) {
    const fits = hanWidth(line + word.trimEnd()) <= width
    if (fits || (NEVER_FIRST.test(word) && hanWidth(word) <= 1)) {
      line += word
      continue
    }
    if (line.trim() !== '') lines.push(line.trim())
    line = word.trimStart()
    while (hanWidth(line) > width) {
      const head = fitting(line, width)
      lines.push(head)
      line = line.slice(head.length)
    }
  }
  if (line.trim() !== '') lines.push(line.trim())
  return lines
}

function fitting(text: string, width: number): string {
  let head = ''
  let taken = 0
  for (const character of text) {
    taken += characterWidth(character)
    if (taken > width) break
    head += character
  }
  return head
}

/** Small letters hold this many times as much as large ones. */
const SMALL = 1.25

const JOIN = ' · '

/**
 * A name (or the names of a pair) in one line of `fits` Han widths, else in one smaller line, else in two: one for
 * each of a pair, cut with an ellipsis when even that is too short.
 */
export function nameLines(names: string | string[], fits: number): { small: boolean; lines: string[] } {
  const parts = typeof names === 'string' ? [names] : names
  const whole = parts.join(JOIN)
  const room = fits * SMALL
  if (hanWidth(whole) <= fits) return { small: false, lines: [whole] }
  if (hanWidth(whole) <= room) return { small: true, lines: [whole] }
  if (parts.length === 2) return { small: true, lines: parts.map((part) => cut(part, room)) }
  const [first = '', ...rest] = wrap(whole, room)
  return { small: true, lines: [first, cut(rest.join(' '), room)] }
}

function cut(text: string, width: number): string {
  return hanWidth(text) <= width ? text : `${fitting(text, width - 1).trimEnd()}…`
}
