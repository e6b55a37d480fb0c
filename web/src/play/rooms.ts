import type { Schemas } from '../shared/api'
import type { Me } from './remembered'

/** 开室, 闭室: where a match of teams of four is played twice, by the other half of each team. */
export type Room = 'open' | 'closed'

type Table = Schemas['TableView']

/** Is a match played in two rooms, so that this player must say in which one it sits? */
export const needsRoom = (me: Me): boolean => me.tables.length > 1

/** What I know of me, with the table of my room as the table; none while the room is not known. */
export function seatedAt(me: Me, room: Room | null): Me {
  if (!needsRoom(me)) return me
  return { ...me, table: me.tables.find((table) => table.room === room) ?? null }
}

/** My table, or those of both rooms. */
export const tablesOf = (me: Me): Table[] => (me.tables.length > 0 ? me.tables : me.table ? [me.table] : [])

/** The server's answer about one table, put into what is known of me. */
export function withTable(me: Me, reply: Table): Me {
  const same = (table: Table | null): boolean => table !== null && table.round === reply.round && table.table === reply.table
  return { ...me, table: same(me.table) ? reply : me.table, tables: me.tables.map((table) => (same(table) ? reply : table)) }
}

/** The room in which I sit by the line-up that was handed in, or null where that says nothing of me. */
export function roomByLineUp(me: Me): Room | null {
  const mine = me.tables.filter(({ line_up }) => line_up?.[me.my_side === 'ew' ? 'ew_places' : 'ns_places']?.includes(me.player))
  return mine.length === 1 ? (mine[0]?.room as Room) : null
}

const keyOf = (event: string, me: Me): string => `guanjun:room:${event}:${me.entry.number}:${me.player}`

/** The room chosen on this phone before, or null. */
export function rememberedRoom(event: string, me: Me): Room | null {
  try {
    const kept = localStorage.getItem(keyOf(event, me))
    return kept === 'open' || kept === 'closed' ? kept : null
  } catch {
    return null
  }
}

export function rememberRoom(event: string, me: Me, room: Room): void {
  try {
    localStorage.setItem(keyOf(event, me), room)
  } catch {
    // full or refused: the player chooses again at the next start
  }
}
