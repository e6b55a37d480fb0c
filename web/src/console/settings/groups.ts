import type { Schemas } from '../../shared/api'

export type Settings = Schemas['Settings']

/**
 * How one setting is entered. Numbers carry their bounds, choices their codes. `needs`: codes of settings (of the
 * kind's row) one of which the kind must have; `later`: which later part the setting waits for, until then disabled.
 */
export type Field = { path: string; needs?: readonly string[]; later?: Later | undefined } & (
  | { type: 'text' | 'long' | 'rules' | 'switch' | 'date' | 'days' | 'criteria' | 'names' | 'money' | 'prizes' | 'ladders' | 'none' }
  | { type: 'number'; least: number; most: number; step?: number; empty?: boolean }
  | { type: 'choice'; choices: readonly string[]; numeric?: boolean }
)
export type Later = 'payments' | 'wechat' | 'screens'

export interface Group {
  code: 'basics' | 'pairing' | 'points' | 'checkin' | 'registration' | 'fees' | 'about' | 'prizes' | 'advanced'
  fields: Field[]
}

const points = (path: string, needs?: readonly string[], empty = false): Field => ({
  path,
  type: 'number',
  least: -1000,
  most: 1000,
  step: 0.5,
  empty,
  ...(needs ? { needs } : {}),
})
/** Kinds that are scored by levels, and those that are scored by the board. */
const LEVELS = ['failures_at_a']
const BOARDS = ['duplicate_scale', 'rotation_points']
const ROTATION = ['rotation_points']

/** The manual's groups in its order; `pairing` and `points` are ours, since the manual has no place for them. */
export const GROUPS: Group[] = [
  {
    code: 'basics',
    fields: [
      { path: 'rounds', type: 'number', least: 1, most: 100 },
      { path: 'boards_per_round', type: 'number', least: 0, most: 100 },
      { path: 'minutes_per_round', type: 'number', least: 1, most: 600 },
      { path: 'stop_drawing_minutes', type: 'number', least: 0, most: 120 },
      { path: 'criteria', type: 'criteria' },
      { path: 'clubs', type: 'names' },
      { path: 'match_days', type: 'days', needs: ['match_days'] },
    ],
  },
  {
    code: 'pairing',
    fields: [
      { path: 'meets_by', type: 'choice', choices: ['swiss', 'round_robin'], needs: ['meets_by'] },
      { path: 'partners', type: 'choice', choices: ['drawn_once', 'new_each_round'], needs: ['partners'] },
      { path: 'pairing.method', type: 'choice', choices: ['rank_first', 'min_total_gap'], needs: ['method'] },
      { path: 'pairing.order', type: 'choice', choices: ['adjacent', 'slide', 'fold'], needs: ['order'] },
      { path: 'pairing.first_round', type: 'choice', choices: ['random', 'entry_order', 'seeded'], needs: ['first_round'] },
      { path: 'pairing.club_rule', type: 'choice', choices: ['avoid', 'never', 'ignore'], needs: ['club_rule'] },
      { path: 'pairing.club_until_round', type: 'number', least: 1, most: 100, empty: true, needs: ['club_until_round'] },
      { path: 'pairing.seed', type: 'text' },
    ],
  },
  {
    code: 'points',
    fields: [
      points('points.win'),
      points('points.draw'),
      points('points.loss'),
      points('points.no_show'),
      points('bye.match_points', undefined, true),
      points('bye.level_points', LEVELS),
      points('bye.upgrades', LEVELS),
      points('bye.board_points', BOARDS, true),
      points('walkover.match_points', undefined, true),
      points('walkover.level_points', LEVELS),
      points('walkover.upgrades', LEVELS),
      points('walkover.board_points', BOARDS, true),
      points('absent.match_points'),
      points('absent.level_points', LEVELS),
      points('absent.upgrades', LEVELS),
      points('absent.board_points', BOARDS),
      points('rotation_points.three', ROTATION),
      points('rotation_points.two', ROTATION),
      points('rotation_points.one', ROTATION),
      { path: 'failures_at_a', type: 'choice', choices: ['none', 'back_to_2', 'lose'], needs: LEVELS },
      { path: 'duplicate_scale', type: 'choice', choices: ['5', '6'], numeric: true, needs: ['duplicate_scale'] },
      { path: 'median_field', type: 'choice', choices: ['direction', 'all'], needs: ['median_field'] },
      { path: 'mitchell_ranking', type: 'choice', choices: ['together', 'apart'], needs: ['mitchell_ranking'] },
    ],
  },
  {
    code: 'checkin',
    fields: [
      { path: 'search_by_phone_only', type: 'switch' },
      { path: 'prompt_phone', type: 'switch' },
      { path: 'sign_in_required', type: 'switch' },
      { path: 'score_any_time', type: 'switch' },
    ],
  },
  {
    code: 'registration',
    fields: [
      { path: 'allow_empty_club', type: 'switch' },
      { path: 'allow_wechat', type: 'switch', later: 'wechat' },
      { path: 'allow_single', type: 'switch' },
      { path: 'registration_closed', type: 'switch' },
      { path: 'registration_deadline', type: 'date' },
      { path: 'entries_per_account', type: 'number', least: 1, most: 1000 },
      { path: 'capacity', type: 'number', least: 1, most: 10_000, empty: true },
      { path: 'consent_text', type: 'long' },
    ],
  },
  {
    code: 'fees',
    fields: [
      { path: 'fees.entry', type: 'money' },
      { path: 'fees.extra', type: 'money' },
      { path: 'fees.online', type: 'switch', later: 'payments' },
    ],
  },
  {
    code: 'about',
    fields: [
      { path: 'starts_at', type: 'date' },
      { path: 'name', type: 'text' },
      { path: 'time_zone', type: 'text' },
      { path: 'purge_at', type: 'date' },
    ],
  },
  {
    code: 'prizes',
    fields: [
      { path: 'prizes', type: 'prizes' },
      { path: 'club_ranking.on', type: 'switch' },
      { path: 'club_ranking.best', type: 'number', least: 1, most: 1000 },
    ],
  },
  {
    code: 'advanced',
    fields: [
      { path: 'no_advertisement', type: 'switch' },
      { path: 'private', type: 'switch' },
      { path: 'test', type: 'switch' },
      { path: 'knockout', type: 'switch', needs: ['knockout'] },
      { path: 'third_place_match', type: 'switch', needs: ['third_place_match'] },
      { path: 'double_submission', type: 'switch' },
      { path: 'self_forfeit', type: 'switch' },
      { path: 'ranking_after_submission_only', type: 'switch' },
      { path: 'show_own_score', type: 'switch' },
      { path: 'ladders', type: 'ladders' },
      { path: 'show_entry_count', type: 'switch' },
      { path: 'rotation_rules', type: 'switch', needs: ROTATION },
      { path: 'registration_prompt', type: 'long' },
      { path: 'rules_text', type: 'rules' },
    ],
  },
]

/**
 * The groups with what applies to a kind that has these settings; groups without any are left out. What waits for a
 * later part waits no longer where that part is `ready`.
 */
export function groupsFor(settings: readonly string[] | undefined, ready: readonly Later[] = []): Group[] {
  const has = (field: Field): boolean => !settings || !field.needs || field.needs.some((code) => settings.includes(code))
  const offered = (field: Field): Field => (field.later && ready.includes(field.later) ? { ...field, later: undefined } : field)
  return GROUPS.map((group) => ({ ...group, fields: group.fields.filter(has).map(offered) })).filter((group) => group.fields.length > 0)
}

export function valueAt(settings: Settings, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], settings)
}

/** The settings with the value at the path replaced; the ones given stay as they are. */
export function withValue(settings: Settings, path: string, value: unknown): Settings {
  const [key = '', ...rest] = path.split('.')
  const inner = (settings as unknown as Record<string, unknown>)[key]
  const next = rest.length > 0 ? { ...(inner as Record<string, unknown>), [rest.join('.')]: value } : value
  return { ...settings, [key]: next }
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Paths whose values differ, in the order of the groups. */
export function changedPaths(before: Settings, after: Settings): string[] {
  return GROUPS.flatMap((group) => group.fields.map((field) => field.path)).filter(
    (path) => !same(valueAt(before, path), valueAt(after, path)),
  )
}

/** The group in which a setting stands. */
export function groupOfPath(path: string): Group['code'] {
  const found = GROUPS.find((group) => group.fields.some((field) => field.path === path || path.startsWith(`${field.path}[`)))
  return found?.code ?? 'basics'
}

/**
 * Ours and theirs after a conflict, both made from `base`: what only one side touched is taken from it, what both
 * touched differently is returned to be asked.
 */
export function merged(base: Settings, mine: Settings, theirs: Settings): { settings: Settings; asked: string[] } {
  let settings = theirs
  const asked: string[] = []
  for (const path of changedPaths(base, mine)) {
    const ours = valueAt(mine, path)
    if (same(ours, valueAt(theirs, path))) continue
    if (!same(valueAt(base, path), valueAt(theirs, path))) asked.push(path)
    settings = withValue(settings, path, ours)
  }
  return { settings, asked }
}
