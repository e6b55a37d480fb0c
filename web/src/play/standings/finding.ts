/** Rows of one public page of the standings. */
export const ROWS_PER_PAGE = 200

/** The first page on which somebody of this rank can stand (tied ones may reach over to the next). */
export function pageOfRank(rank: number): number {
  return Math.floor((Math.max(1, rank) - 1) / ROWS_PER_PAGE) + 1
}
