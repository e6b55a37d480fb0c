import { t } from '../../shared/i18n/console'
import type { Group } from './groups'

const GROUP = {
  basics: 'groupBasics',
  pairing: 'groupPairing',
  points: 'groupPoints',
  checkin: 'groupCheckin',
  registration: 'groupRegistration',
  about: 'groupAbout',
  prizes: 'groupPrizes',
  advanced: 'groupAdvanced',
} as const

export const groupWords = (code: Group['code']): string => t(GROUP[code])

/** Name and explanation of every setting: `[name, one sentence]`. */
const SETTING = {
  rounds: ['setRounds', 'setRoundsText'],
  boards_per_round: ['setBoards', 'setBoardsText'],
  minutes_per_round: ['setMinutes', 'setMinutesText'],
  stop_drawing_minutes: ['setStop', 'setStopText'],
  criteria: ['setCriteria', 'setCriteriaText'],
  clubs: ['setClubs', 'setClubsText'],
  'pairing.method': ['setMethod', 'setMethodText'],
  'pairing.order': ['setOrder', 'setOrderText'],
  'pairing.first_round': ['setFirst', 'setFirstText'],
  'pairing.club_rule': ['setClubRule', 'setClubRuleText'],
  'pairing.club_until_round': ['setClubUntil', 'setClubUntilText'],
  'pairing.seed': ['setSeed', 'setSeedText'],
  'points.win': ['setWin', 'setWinText'],
  'points.draw': ['setDraw', 'setDrawText'],
  'points.loss': ['setLoss', 'setLossText'],
  'points.no_show': ['setNoShow', 'setNoShowText'],
  'bye.match_points': ['setByeMatch', 'setByeMatchText'],
  'bye.level_points': ['setByeLevel', 'setByeLevelText'],
  'bye.upgrades': ['setByeUpgrades', 'setByeUpgradesText'],
  'walkover.match_points': ['setWalkoverMatch', 'setWalkoverMatchText'],
  'walkover.level_points': ['setWalkoverLevel', 'setWalkoverLevelText'],
  'walkover.upgrades': ['setWalkoverUpgrades', 'setWalkoverUpgradesText'],
  search_by_phone_only: ['setPhoneOnly', 'setPhoneOnlyText'],
  prompt_phone: ['setPrompt', 'setPromptText'],
  score_any_time: ['setAnyTime', 'setAnyTimeText'],
  registration_closed: ['setClosed', 'setClosedText'],
  registration_deadline: ['setDeadline', 'setDeadlineText'],
  name: ['setName', 'setNameText'],
  starts_at: ['setStarts', 'setStartsText'],
  time_zone: ['setZone', 'setZoneText'],
  'club_ranking.on': ['setClubRanking', 'setClubRankingText'],
  'club_ranking.best': ['setBest', 'setBestText'],
  double_submission: ['setDouble', 'setDoubleText'],
  ranking_after_submission_only: ['setLive', 'setLiveText'],
  show_own_score: ['setOwn', 'setOwnText'],
  rules_text: ['setRules', 'setRulesText'],
} as const

export function settingName(path: string): string {
  return path in SETTING ? t(SETTING[path as keyof typeof SETTING][0]) : path
}

export function settingAbout(path: string): string {
  return path in SETTING ? t(SETTING[path as keyof typeof SETTING][1]) : ''
}

const CHOICE = {
  rank_first: 'choiceRankFirst',
  min_total_gap: 'choiceMinTotalGap',
  adjacent: 'choiceAdjacent',
  slide: 'choiceSlide',
  fold: 'choiceFold',
  random: 'choiceRandom',
  entry_order: 'choiceEntryOrder',
  seeded: 'choiceSeeded',
  avoid: 'choiceAvoid',
  never: 'choiceNever',
  ignore: 'choiceIgnore',
} as const

export function choiceWords(code: string): string {
  return code in CHOICE ? t(CHOICE[code as keyof typeof CHOICE]) : code
}
