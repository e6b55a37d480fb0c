import type { Translation } from '../translate'
import type zh from '../zh/addends'

const en: Translation<typeof zh> = {
  criteria: 'Criteria',
  addendsOf: 'Parts',
  addendsProvisional: 'with scores not yet confirmed',
  roundColumn: 'Round',
  round: 'Round {round}',
  why: 'Why',
  value: 'Value',
  total: 'Total',
  listed: 'From high to low',
  noAddends: 'There are no parts',
  whyWin: 'Win over {name}',
  whyDraw: 'Draw with {name}',
  whyLoss: 'Loss to {name}',
  whyWalkover: 'Walkover, forfeited by {name}',
  whyForfeit: 'Forfeit against {name}',
  whyTotal: 'Total of {name}',
  whyAdjustment: 'Adjustment: {reason}',
  whyAdjusted: 'Penalty or adjustment',
  bye: 'Bye',
  sitOut: 'Sit-out',
  absent: 'Absent',
  listComma: ', ',
}

export default en
