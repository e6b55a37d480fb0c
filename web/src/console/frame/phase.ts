import { t } from '../../shared/i18n/console'
import type { EventView } from './event-context'

export type Tone = 'neutral' | 'good' | 'warn' | 'info'

/** Where the event stands, in a few words and a colour. */
export function phaseOf(event: EventView): { words: string; tone: Tone } {
  if (event.phase === 'ended') return { words: t('phaseEnded'), tone: 'neutral' }
  const last = event.rounds[event.rounds.length - 1]
  if (!last) return { words: t('phasePreparing'), tone: 'neutral' }
  const round = t('roundOf', { round: last.number, rounds: event.settings.rounds })
  switch (last.phase) {
    case 'draft':
      return { words: `${round} · ${t('phaseDraft')}`, tone: 'warn' }
    case 'published':
      return { words: `${round} · ${t('phasePublished')}`, tone: 'info' }
    case 'playing':
      return { words: `${round} · ${t('phasePlaying')}`, tone: 'good' }
    default:
      return { words: `${round} · ${t('phaseSettled')}`, tone: 'neutral' }
  }
}

/** The words of a round's own phase. */
export function roundPhaseWords(phase: string): string {
  const words: Record<string, string> = {
    draft: t('phaseDraft'),
    published: t('phasePublished'),
    playing: t('phasePlaying'),
    settled: t('phaseSettled'),
  }
  return words[phase] ?? phase
}
