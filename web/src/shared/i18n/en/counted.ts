import type { Translation } from '../translate'
import type zh from '../zh/counted'

const en: Translation<typeof zh> = {
  countedBefore: 'Before round {round}',
  countedPart: 'Round {round} in play',
  countedAll: 'After round {round}',
}

export default en
