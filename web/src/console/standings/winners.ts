/**
 * The order in which tied entries get prizes, after `chosen` (best first) were picked out of the `contested`: what was
 * decided between others stays.
 */
export function decidedWith(decided: number[], contested: number[], chosen: number[]): number[] {
  return [...decided.filter((number) => !contested.includes(number)), ...chosen]
}
