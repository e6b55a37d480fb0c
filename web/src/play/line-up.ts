import type { Schemas } from '../shared/api'

export type MyLineUp = Schemas['MyLineUp']

/** How many of a team sit in one room. */
export const PAIR = 2

/** Where each player of the team plays: the place of the room, or null for who rests. */
export type Seats = (number | null)[]

export function seatsOf(lineUp: MyLineUp, players: number): Seats {
  return Array.from({ length: players }, (_, place) => {
    const room = lineUp.rooms.findIndex((pair) => pair.includes(place))
    return room < 0 ? null : room
  })
}

/** The players of each room, as the server takes them. */
export const roomsOf = (seats: Seats, rooms: number): number[][] =>
  Array.from({ length: rooms }, (_, room) => seats.flatMap((seat, place) => (seat === room ? [place] : [])))

export const isComplete = (seats: Seats, rooms: number): boolean => roomsOf(seats, rooms).every((pair) => pair.length === PAIR)

/** One player set to a room (null: rests). Where everybody plays, who is left goes to the room that has a place. */
export function withSeat(seats: Seats, place: number, room: number | null, rooms: number): Seats {
  const next = seats.map((seat, other) => (other === place ? room : seat))
  const open = roomsOf(next, rooms).flatMap((pair, index) => Array<number>(Math.max(0, PAIR - pair.length)).fill(index))
  const free = next.flatMap((seat, other) => (seat === null && other !== place ? [other] : []))
  const full = next.length === rooms * PAIR && room !== null && new Set(open).size === 1 && open.length === free.length
  return full ? next.map((seat, other) => (free.includes(other) ? (open[0] ?? null) : seat)) : next
}
