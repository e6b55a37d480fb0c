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

/** A line of small letters holds this many times as much as one of large ones, unless the page says otherwise. */
const SMALL = 1.23

const JOIN = ' · '

/** Says how many more there are than are named: 等 8 人. */
export type More = (all: number) => string

/**
 * A name (or the names of a team) in one line of `fits` Han widths, else in one smaller line, else in two: one for
 * each of a pair; of a larger team as many whole names as there is room for, and how many they are.
 */
export function nameLines(names: string | string[], fits: number, more: More = () => '…', small = SMALL): { small: boolean; lines: string[] } {
  const parts = typeof names === 'string' ? [names] : names
  const whole = parts.join(JOIN)
  const room = fits * small
  if (hanWidth(whole) <= fits) return { small: false, lines: [whole] }
  return { small: true, lines: hanWidth(whole) <= room ? [whole] : twoLines(parts, room, more) }
}

function twoLines(parts: string[], room: number, more: More): string[] {
  if (parts.length === 1) {
    const [first = '', ...rest] = wrap(parts.join(''), room)
    return rest.length === 0 ? [first] : [first, cut(rest.join(' '), room)]
  }
  if (parts.length === 2) return parts.map((part) => cut(part, room))
  for (let named = parts.length; named > 0; named -= 1) {
    const lines = inLines(named === parts.length ? parts : [...parts.slice(0, named), more(parts.length)], room)
    if (lines.length <= 2) return lines
  }
  return [cut(parts.join(JOIN), room)]
}

/** Whole names in as many lines as they need. */
function inLines(names: string[], room: number): string[] {
  const lines: string[] = []
  for (const name of names) {
    const last = lines[lines.length - 1]
    if (last !== undefined && hanWidth(last + JOIN + name) <= room) lines[lines.length - 1] = last + JOIN + name
    else lines.push(cut(name, room))
  }
  return lines
}

function cut(text: string, width: number): string {
  return hanWidth(text) <= width ? text : `${fitting(text, width - 1).trimEnd()}…`
}
