import { characterWidth, hanWidth } from './text-width'

export interface RulesLine {
  kind: 'heading' | 'text' | 'gap'
  text: string
}

/** At 10 m a line of more than 22 Han characters, or more than nine lines, is not read. */
export const RULES_LINE = 22
export const RULES_LINES = 9

/** Marks that must not begin a line. */
const NEVER_FIRST = /^[，。、；：！？）》」』”’…,.;:!?)\]}%]/

/**
 * The event's rules (Markdown: headings, lists, paragraphs) as pages of wrapped lines. Emphasis and links become
 * plain words. Headings never end a page.
 */
export function rulesPages(markdown: string, width = RULES_LINE, linesPerPage = RULES_LINES): RulesLine[][] {
  const pages: RulesLine[][] = []
  let page: RulesLine[] = []
  const turn = (): void => {
    while (page[page.length - 1]?.kind === 'gap') page.pop()
    if (page.length > 0) pages.push(page)
    page = []
  }
  for (const block of blocks(markdown)) {
    if (block.kind === 'gap') {
      if (page.length > 0 && page.length < linesPerPage) page.push(block)
      continue
    }
    const lines = wrap(block.text, width).map((text): RulesLine => ({ kind: block.kind, text }))
    const needed = block.kind === 'heading' ? lines.length + 1 : 1
    if (page.length + needed > linesPerPage) turn()
    for (const line of lines) {
      if (page.length === linesPerPage) turn()
      page.push(line)
    }
  }
  turn()
  return pages
}

function blocks(markdown: string): RulesLine[] {
  return markdown
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line): RulesLine => {
      const text = plain(line)
      if (text === '') return { kind: 'gap', text: '' }
      return { kind: /^\s*#{1,6}\s/.test(line) ? 'heading' : 'text', text }
    })
    .filter((block, index, all) => block.kind !== 'gap' || all[index - 1]?.kind !== 'gap')
}

function plain(line: string): string {
  return line
    .replace(/^\s*#{1,6}\s+/, '')
    .replace(/^\s*[-*+]\s+/, '• ')
    .replace(/^\s*>\s?/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\*\*|__|`|~~)/g, '')
    .trim()
}

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

function fitting(word: string, width: number): string {
  let head = ''
  let taken = 0
  for (const character of word) {
    taken += characterWidth(character)
    if (taken > width) break
    head += character
  }
  return head
}
