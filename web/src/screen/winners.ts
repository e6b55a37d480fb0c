import type { Schemas } from '../shared/api'

export type Winner = Schemas['Winner']

/** A line of the summary; `first` of its award, which only then is named. */
export interface PrizeLine {
  prize: string
  first: boolean
  winner: Winner
}

export const winnerName = (winner: Winner): string => winner.entry.name || winner.entry.players.join(' / ')

/** The players as far as the name does not say them already. */
export function playersText(winner: Winner): string {
  const players = winner.entry.players.join(' / ')
  return players === winnerName(winner) ? '' : players
}

/** Everybody who was revealed, award by award, best first. */
export function prizeLines(revealed: Schemas['Revealed'] | null): PrizeLine[] {
  return (revealed?.prizes ?? []).flatMap((prize) => {
    const name = prize.group === null ? prize.name : `${prize.name} · ${prize.group}`
    return prize.winners.map((winner, index) => ({ prize: name, first: index === 0, winner }))
  })
}
