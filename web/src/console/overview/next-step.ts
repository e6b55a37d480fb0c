import type { Schemas } from '../../shared/api'
import { t } from '../../shared/i18n/console'
import type { EventView } from '../frame/event-context'
import { isUnfinished } from '../../shared/table-groups'

export type StepCode =
  | 'import_entries'
  | 'draw'
  | 'publish'
  | 'redraw'
  | 'start_clock'
  | 'play'
  | 'settle'
  | 'draw_next'
  | 'end'
  | 'finished'

export interface Step {
  code: StepCode
  title: string
  text: string
}

/** How many tables of the round in play are done, of how many. */
export interface Progress {
  done: number
  all: number
}

export function progressOf(grid: Schemas['TableGrid'] | null): Progress | null {
  if (grid === null || grid.round === 0) return null
  return { done: grid.tables.filter((table) => !isUnfinished(table)).length, all: grid.tables.length }
}

/**
 * The one thing to do next. The server says it from phase and clock; that every table is in before the time is up is
 * only seen in the grid.
 */
export function nextStep(event: EventView, progress: Progress | null): Step {
  const round = event.last_round
  const rounds = event.settings.rounds
  const step = (code: StepCode, title: string, text: string): Step => ({ code, title, text })
  switch (event.next_step) {
    case 'import_entries':
      return step('import_entries', t('stepImport'), t('stepImportText'))
    case 'draw':
      return step('draw', t('stepDraw', { round: 1 }), t('stepDrawText', { entries: event.entries }))
    case 'publish':
      if (event.rounds[event.rounds.length - 1]?.outdated_by.length) return step('redraw', t('stepRedraw', { round }), t('stepRedrawText'))
      return step('publish', t('stepPublish', { round }), t('stepPublishText'))
    // A club may play without the clock: once every table is in, it is not asked for any more.
    case 'start_clock':
    case 'play':
    case 'settle': {
      const open = progress ? progress.all - progress.done : null
      if (open === 0) {
        return round < rounds
          ? step('draw_next', t('stepDraw', { round: round + 1 }), t('stepDrawSettles', { round }))
          : step('settle', t('stepSettle', { round }), t('stepSettleText'))
      }
      if (event.next_step === 'start_clock') {
        return step('start_clock', t('stepStart', { round }), t('stepStartText', { minutes: event.settings.minutes_per_round }))
      }
      const text = progress ? t('stepPlayText', { done: progress.done, all: progress.all }) : t('loading')
      return step('play', t('stepPlay', { round }), text)
    }
    case 'draw_next':
      return step('draw_next', t('stepDraw', { round: round + 1 }), t('stepDrawNextText', { round }))
    default:
      return event.phase === 'ended'
        ? step('finished', t('stepFinished'), t('stepFinishedText'))
        : step('end', t('stepEnd'), t('stepEndText', { rounds }))
  }
}
