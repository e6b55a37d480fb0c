import type { Changes, Pulse } from '../shared/pulse'
import type { Me } from './remembered'

/** Whether round, phase or clock are others than this phone knows. A pulse from a cache may be older than what it knows. */
export function moved(me: Me, pulse: Pulse): boolean {
  const clock = pulse.clock.version ?? 0
  if (pulse.round < me.round || clock < me.clock.version) return false
  const phase = pulse.phase === 'ended' ? me.phase !== 'ended' : me.round_phase !== pulse.phase
  return pulse.round > me.round || clock > me.clock.version || phase
}

/** Whether something has changed at a table of mine, or for everybody, since the server told this phone. */
export function isMine(me: Me, changes: Changes): boolean {
  return [changes.all, ...me.tables.map((table) => changes.tables[table.table] ?? 0)].some((last) => last > me.changes)
}

/** What the pulse itself tells of the changes after `known`; null where it has no room for all of them. */
export function toldBy(pulse: Pulse, known: number): Changes | null {
  return pulse.recent && pulse.recent.from <= known ? pulse.recent : null
}
