/** The list with one item moved to another place. */
export function movedItem<T>(items: readonly T[], from: number, to: number): T[] {
  const rest = items.filter((_item, index) => index !== from)
  const item = items[from]
  return item === undefined ? rest : [...rest.slice(0, to), item, ...rest.slice(to)]
}
