import { t } from '../../shared/i18n/console'
import type { Group, Later } from './groups'

const GROUP = {
  basics: 'groupBasics',
  pairing: 'groupPairing',
  points: 'groupPoints',
  checkin: 'groupCheckin',
  registration: 'groupRegistration',
  fees: 'groupFees',
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
  match_days: ['setMatchDays', 'setMatchDaysText'],
  meets_by: ['setMeetsBy', 'setMeetsByText'],
  partners: ['setPartners', 'setPartnersText'],
  'bye.board_points': ['setByeBoards', 'setByeBoardsText'],
  'walkover.board_points': ['setWalkoverBoards', 'setWalkoverBoardsText'],
  'absent.match_points': ['setAbsentMatch', 'setAbsentMatchText'],
  'absent.level_points': ['setAbsentLevel', 'setAbsentLevelText'],
  'absent.upgrades': ['setAbsentUpgrades', 'setAbsentUpgradesText'],
  'absent.board_points': ['setAbsentBoards', 'setAbsentBoardsText'],
  'rotation_points.three': ['setThree', 'setThreeText'],
  'rotation_points.two': ['setTwo', 'setTwoText'],
  'rotation_points.one': ['setOne', 'setOneText'],
  failures_at_a: ['setFailures', 'setFailuresText'],
  duplicate_scale: ['setScale', 'setScaleText'],
  median_field: ['setMedian', 'setMedianText'],
  mitchell_ranking: ['setMitchell', 'setMitchellText'],
  sign_in_required: ['setSignIn', 'setSignInText'],
  allow_empty_club: ['setEmptyClub', 'setEmptyClubText'],
  allow_wechat: ['setWechat', 'setWechatText'],
  allow_single: ['setSingle', 'setSingleText'],
  entries_per_account: ['setPerAccount', 'setPerAccountText'],
  capacity: ['setCapacity', 'setCapacityText'],
  'fees.entry': ['setEntryFee', 'setEntryFeeText'],
  'fees.extra': ['setExtraFee', 'setExtraFeeText'],
  'fees.online': ['setOnline', 'setOnlineText'],
  prizes: ['setPrizes', 'setPrizesText'],
  no_advertisement: ['setAds', 'setAdsText'],
  private: ['setPrivate', 'setPrivateText'],
  test: ['setTest', 'setTestText'],
  knockout: ['setKnockout', 'setKnockoutText'],
  third_place_match: ['setThird', 'setThirdText'],
  self_forfeit: ['setForfeit', 'setForfeitText'],
  ladders: ['setLadders', 'setLaddersText'],
  show_entry_count: ['setCount', 'setCountText'],
  rotation_rules: ['setRotationRules', 'setRotationRulesText'],
  consent_text: ['setConsent', 'setConsentText'],
  purge_at: ['setPurge', 'setPurgeText'],
  registration_prompt: ['setPromptText2', 'setPromptTextText'],
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
  swiss: 'choiceSwiss',
  round_robin: 'choiceRoundRobin',
  drawn_once: 'choiceDrawnOnce',
  new_each_round: 'choiceNewEach',
  none: 'choiceNone',
  back_to_2: 'choiceBackTo2',
  lose: 'choiceLose',
  '5': 'choice5',
  '6': 'choice6',
  direction: 'choiceDirection',
  all: 'choiceAll',
  together: 'choiceTogether',
  apart: 'choiceApart',
} as const

export function choiceWords(code: string): string {
  return code in CHOICE ? t(CHOICE[code as keyof typeof CHOICE]) : code
}

const LATER = {
  payments: 'laterPayments',
  wechat: 'laterWechat',
  screens: 'laterScreens',
} as const

/** Why a setting is there and cannot be used yet. */
export const laterWords = (code: Later): string => t(LATER[code])
