import type { Translation } from '../translate'
import type zh from '../zh/console-rehearsal'

const en: Translation<typeof zh> = {
  rehearse: 'Rehearse',
  rehearsalText:
    'Robot players enter, check in and score until a test event is over. Open the referee page and the projection beside it. It does not count against your events.',
  rehearsalName: 'Rehearsal · {kind}',
  rehearsalEntries: 'Entries (4–120)',
  rehearsalRounds: 'Rounds (1–8)',
  rehearsalPace: 'Time for a round',
  paceQuick: '30 s',
  paceLive: '90 s',
  paceHall: '10 min',
  startRehearsal: 'Start the rehearsal',
  rehearsalRuns: 'Robots are playing',
  rehearsalOver: 'The rehearsal has stopped',
  rehearsalProgress: '{round} of {rounds} {rounds|round|rounds} finished',
  stopRobots: 'Stop the robots',
  robotsStopped: 'The robots have stopped; the results stay',
}
export default en
