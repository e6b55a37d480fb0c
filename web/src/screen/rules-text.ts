import { wrap } from './text-width'

export interface RulesLine {
  /** `item` begins a list item, `continued` goes on with it. */
  kind: 'heading' | 'text' | 'item' | 'continued' | 'gap'
  text: string
}

/** At 10 m a line of more than 22 Han characters, or more than nine lines, is not read. */
export const RULES_LINE = 22
export const RULES_LINES = 9

/** The room of a list item's dot, in Han widths. */
const ITEM_INDENT = 1

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
    const lines = linesOf(block, width)
    // A heading stays with what follows it, a short paragraph with itself.
    const whole = lines.length <= linesPerPage / 2 ? lines.length : 1
    const needed = block.kind === 'heading' ? lines.length + 2 : whole
    if (page.length + needed > linesPerPage) turn()
    for (const line of lines) {
      if (page.length === linesPerPage) turn()
      page.push(line)
    }
  }
  turn()
  return pages
}

/** The rules as blocks that are not wrapped, for pages that flow. */
export function rulesBlocks(markdown: string): RulesLine[] {
  return blocks(markdown)
}

function blocks(markdown: string): RulesLine[] {
  return markdown
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line): RulesLine => {
      const text = plain(line)
      if (text === '') return { kind: 'gap', text: '' }
      return { kind: kindOf(line), text }
    })
    .filter((block, index, all) => block.kind !== 'gap' || all[index - 1]?.kind !== 'gap')
}

function kindOf(line: string): RulesLine['kind'] {
  if (/^\s*#{1,6}\s/.test(line)) return 'heading'
  return /^\s*[-*+]\s/.test(line) ? 'item' : 'text'
}

function linesOf(block: RulesLine, width: number): RulesLine[] {
  if (block.kind !== 'item') return wrap(block.text, width).map((text) => ({ kind: block.kind, text }))
  return wrap(block.text, width - ITEM_INDENT).map((text, index) => ({ kind: index === 0 ? 'item' : 'continued', text }))
}

function plain(line: string): string {
  return line
    .replace(/^\s*#{1,6}\s+/, '')
    .replace(/^\s*[-*+]\s+/, '')
    .replace(/^\s*>\s?/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\*\*|__|`|~~)/g, '')
    .trim()
}
