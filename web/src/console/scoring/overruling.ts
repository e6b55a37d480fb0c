import type { Score, Table } from './tables'

/** Do two scores say the same for the ranking? A table that was not played has nothing but its outcome. */
export function sameScore(a: Score, b: Score): boolean {
  if (a.outcome !== b.outcome) return false
  return a.outcome !== 'played' || (a.ns_level === b.ns_level && a.ew_level === b.ew_level)
}

/** Does this score overrule something that was said, so that a reason has to be given? */
export function needsReason(table: Table, score: Score, settled: boolean): boolean {
  const said = [table.word_ns?.score, table.word_ew?.score, table.ruling?.score]
  return settled || said.some((other) => other != null && !sameScore(other, score))
}
