import type { Translation } from '../translate'
import type zh from '../zh/console-standings'

const en: Translation<typeof zh> = {
  standingsText: 'Ranking begins with the first confirmed table.',
  standingsFacts: 'Round {round} of {rounds} · version {version} · updated {time}',
  recompute: 'Recompute and compare',
  compareEqual: 'Equal',
  compareEqualText: 'Recomputed from all results: the same to the last digit.',
  compareDiffers: 'Different. A result may still be on its way: compare again in a moment',
  downloadStandings: 'Standings .xlsx',
  downloadWorkbook: 'Everything .xlsx',
  downloadJson: 'Event JSON',
  noStandings: 'No standings yet',
  noStandingsText: 'Once the first round is published the standings appear here and stay live.',
  provisional: 'Includes running scores',
  rank: 'Rank',
  tied: 'tied',
  openValue: '{name}, {criterion} {value}: show its parts',
  criteria: 'Criteria',
  addendsOf: 'Parts',
  roundColumn: 'Round',
  value: 'Value',
  total: 'Total',
  noAddends: 'There are no parts',
  whyWin: 'Win over {name}',
  whyDraw: 'Draw with {name}',
  whyLoss: 'Loss to {name}',
  whyWalkover: 'Walkover, forfeited by {name}',
  whyForfeit: 'Forfeit against {name}',
  whyTotal: 'Total of {name}',
  whyAdjustment: 'Adjustment: {reason}',
  clubRanking: 'Clubs',
  noClubs: 'No club ranking yet',
  noClubsText: 'Teams count when their club is in the list of clubs in the settings.',
  counted: 'Teams counted',
}

export default en
