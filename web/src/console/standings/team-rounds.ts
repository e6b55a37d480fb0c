import type { Schemas } from '../../shared/api'

type Addend = Schemas['AddendView']

/** One round of a team's page: what happened, and what it brought to each criterion (several with adjustments). */
export interface TeamRound {
  round: number | null
  /** The server's word for the round: `win over 7`, `bye`; null for a line of adjustments only. */
  happened: string | null
  /** In the order of the criteria. */
  cells: Addend[][]
}

const isAdjustment = (addend: Addend): boolean => addend.why.startsWith('adjustment')
const isOfOpponent = (addend: Addend): boolean => addend.why.startsWith('total of')

/** Every round that brought anything, in order; what belongs to no round comes last. */
export function teamRounds(addends: Record<string, Addend[]>, codes: string[]): TeamRound[] {
  const rounds = new Set(codes.flatMap((code) => (addends[code] ?? []).map((addend) => addend.round)))
  const ordered = [...rounds].sort((a, b) => (a ?? Infinity) - (b ?? Infinity))
  return ordered.map((round) => {
    const cells = codes.map((code) => (addends[code] ?? []).filter((addend) => addend.round === round))
    const said = cells.flat().find((addend) => !isAdjustment(addend) && !isOfOpponent(addend))
    return { round, happened: said?.why ?? null, cells }
  })
}

/** The tables of a round at which a number sits: one, both rooms of a match, or none. */
export function tablesOf(grid: Schemas['TableGrid'], number: number): { table: Schemas['TableView']; side: 'ns' | 'ew' }[] {
  return grid.tables.flatMap((table) => {
    const side = table.ns.numbers.includes(number) ? 'ns' : table.ew.numbers.includes(number) ? 'ew' : null
    return side === null ? [] : [{ table, side }]
  })
}
