import type { Schemas } from '../../shared/api'

export type Settings = Schemas['Settings']

/** How one setting is entered. Numbers carry their bounds, choices their codes. */
export type Field =
  | { path: string; type: 'text' | 'long' | 'switch' | 'date' | 'criteria' | 'names' }
  | { path: string; type: 'number'; least: number; most: number; step?: number; empty?: boolean }
  | { path: string; type: 'choice'; choices: readonly string[] }

export interface Group {
  code: 'basics' | 'pairing' | 'points' | 'checkin' | 'registration' | 'about' | 'prizes' | 'advanced'
  fields: Field[]
}

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
    ],
  },
  {
    code: 'pairing',
    fields: [
      { path: 'pairing.method', type: 'choice', choices: ['rank_first', 'min_total_gap'] },
      { path: 'pairing.order', type: 'choice', choices: ['adjacent', 'slide', 'fold'] },
      { path: 'pairing.first_round', type: 'choice', choices: ['random', 'entry_order', 'seeded'] },
      { path: 'pairing.club_rule', type: 'choice', choices: ['avoid', 'never', 'ignore'] },
      { path: 'pairing.club_until_round', type: 'number', least: 1, most: 100, empty: true },
      { path: 'pairing.seed', type: 'text' },
    ],
  },
  {
    code: 'points',
    fields: [
      { path: 'points.win', type: 'number', least: -1000, most: 1000, step: 0.5 },
      { path: 'points.draw', type: 'number', least: -1000, most: 1000, step: 0.5 },
      { path: 'points.loss', type: 'number', least: -1000, most: 1000, step: 0.5 },
      { path: 'points.no_show', type: 'number', least: -1000, most: 1000, step: 0.5 },
      { path: 'bye.match_points', type: 'number', least: -1000, most: 1000, step: 0.5, empty: true },
      { path: 'bye.level_points', type: 'number', least: -1000, most: 1000, step: 0.5 },
      { path: 'bye.upgrades', type: 'number', least: -1000, most: 1000, step: 0.5 },
      { path: 'walkover.match_points', type: 'number', least: -1000, most: 1000, step: 0.5, empty: true },
      { path: 'walkover.level_points', type: 'number', least: -1000, most: 1000, step: 0.5 },
      { path: 'walkover.upgrades', type: 'number', least: -1000, most: 1000, step: 0.5 },
    ],
  },
  {
    code: 'checkin',
    fields: [
      { path: 'search_by_phone_only', type: 'switch' },
      { path: 'prompt_phone', type: 'switch' },
      { path: 'score_any_time', type: 'switch' },
    ],
  },
  {
    code: 'registration',
    fields: [
      { path: 'registration_closed', type: 'switch' },
      { path: 'registration_deadline', type: 'date' },
    ],
  },
  {
    code: 'about',
    fields: [
      { path: 'name', type: 'text' },
      { path: 'starts_at', type: 'date' },
      { path: 'time_zone', type: 'text' },
    ],
  },
  {
    code: 'prizes',
    fields: [
      { path: 'club_ranking.on', type: 'switch' },
      { path: 'club_ranking.best', type: 'number', least: 1, most: 1000 },
    ],
  },
  {
    code: 'advanced',
    fields: [
      { path: 'double_submission', type: 'switch' },
      { path: 'ranking_after_submission_only', type: 'switch' },
      { path: 'show_own_score', type: 'switch' },
      { path: 'rules_text', type: 'long' },
    ],
  },
]

/** Settings that move ranks: changing them once there are results is asked about and logged with the round. */
export const RULES = ['criteria', 'points', 'bye', 'walkover', 'double_submission', 'club_ranking']

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
