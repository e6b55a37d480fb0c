import type { Schemas } from '../../shared/api'
import { t } from '../../shared/i18n/console'

export type ImportReport = Schemas['ImportReport']
export type Correction = Schemas['CellBody']

/** The cells in which something else was typed than the file has; `typed` by `row:column`. */
export function changedCells(rows: NonNullable<ImportReport['rows']>, typed: Readonly<Record<string, string>>): Correction[] {
  return rows.flatMap(({ row, cells }) =>
    cells.flatMap(({ column, text }) => {
      const now = typed[`${row}:${column}`]
      return now === undefined || now === text ? [] : [{ row, column, text: now }]
    }),
  )
}

/** Corrections so far and new ones; what was typed last for a cell holds. */
export function joined(before: readonly Correction[], now: readonly Correction[]): Correction[] {
  const same = (one: Correction) => (other: Correction): boolean => one.row === other.row && one.column === other.column
  return [...before.filter((one) => !now.some(same(one))), ...now]
}

/** Base64 grows by a third and an API body ends at about 5.5 million characters. */
export const MOST_BYTES = 4 * 1024 * 1024

/** A file's content in base64, as the API takes it. */
export function base64Of(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(reader.error ?? new Error('unreadable file'))
    reader.readAsDataURL(file)
  })
}

/** What a column may be taken for, in the order in which they are offered; "" leaves it out. */
export function rolesFor(players: number): string[] {
  const persons = Array.from({ length: players }, (_, index) => [`player_${index + 1}_name`, `player_${index + 1}_phone`])
  return ['', 'team', ...persons.flat(), 'club', 'club_short', 'leader', 'leader_phone', 'team_number']
}

export function roleWords(role: string): string {
  const player = /^player_(\d)_(name|phone)$/.exec(role)
  if (player) {
    const n = player[1] ?? ''
    return player[2] === 'name' ? t('rolePlayerName', { n }) : t('rolePlayerPhone', { n })
  }
  const words: Record<string, string> = {
    '': t('roleNone'),
    team: t('roleTeam'),
    team_number: t('roleTeamNumber'),
    club: t('roleClub'),
    club_short: t('roleClubShort'),
    leader: t('roleLeader'),
    leader_phone: t('roleLeaderPhone'),
  }
  return words[role] ?? role
}

/** The mapping after a column got another role; a role that stood elsewhere moves, since each is given once. */
export function remapped(columns: ImportReport['columns'], index: number, role: string): Record<string, string> {
  const mapping: Record<string, string> = {}
  columns.forEach((column) => {
    const field = column.index === index ? role : column.field === role ? '' : column.field
    if (field !== '') mapping[String(column.index)] = field
  })
  return mapping
}
