import type zh from '../zh/table-reasons'
import type { Translation } from '../translate'

const en: Translation<typeof zh> = {
  whyByHand: 'Arranged by hand',
  whyRestored: 'Restored from a document, which holds no reasons',
  whyWithheld: 'Paired by rank; ranks are not public for now',
  whyProposal: 'Proposed when nothing legal existed',
  whyRanks: 'Rank {a} meets {b}',
  whyOrder: 'No. {a} of the first order meets No. {b}',
  whyKnockout: 'By the bracket',
  whyRoundRobin: 'By the round robin: in each cycle everybody meets everybody once',
  whyMitchell: 'Mitchell: N–S stay, E–W and the boards move on',
  whyTwoLines: 'Two lines: one stays, the other moves on',
  whyCircle: 'Circle: everybody moves on to the next opponent',
  whyNewPartners: 'New partners and, as far as possible, new opponents',
  whyTotalGap: 'Smallest sum of all differences in score',
  whyBye: 'The bye goes to the lowest rank (in round 1 the last of the order) with the fewest byes, as long as all others still meet somebody new',
  whyNoPartner: 'Alone so far, without a partner',
  whyOf: 'No. {numbers}: {reason}',
  whyGroup: 'Equal scores: {group}',
  whyGap: 'Scores differ: the higher has {group}, the other {gap} less',
  whyPassedOver: 'Passed over No. {entry}: {because}',
  whyMorePassedOver: '{n} more passed over',
  becauseMet: 'met before',
  becauseClub: 'same club',
  becauseRest: 'the rest could not be paired',
  becauseLookAhead: 'later rounds could not be paired',
  seatFewer: 'Seats: who sat N–S less often sits N–S',
  seatLot: 'Seats: by lot',
  seatDesign: 'Seats: by the movement',
  seatByHand: 'Seats: arranged by hand',
}

export default en
