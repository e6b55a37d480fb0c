import { beforeEach, describe, expect, it } from 'vitest'
import { choiceOf, elsewhere, eventsOf, forgetChoices, rememberChoice, rememberElsewhere } from '../src/play/linked'

const found = (event_id: string, event_name: string) => ({ event_id, event_name })

describe('one code for several events', () => {
  beforeEach(() => localStorage.clear())

  it('leads to the event chosen under it until that is forgotten', () => {
    rememberChoice('a', 'b')
    rememberChoice('c', 'b')
    rememberChoice('d', 'e')
    expect(choiceOf('a')).toBe('b')
    forgetChoices('b')
    expect([choiceOf('a'), choiceOf('c'), choiceOf('d')]).toEqual([null, null, 'e'])
  })

  it('names the other events of the same person, each once', () => {
    const events = eventsOf([found('a', '甲组'), found('b', '乙组'), found('a', '甲组')])
    expect(events).toEqual([{ event_id: 'a', name: '甲组' }, { event_id: 'b', name: '乙组' }])
    rememberElsewhere('a', events)
    expect(elsewhere('a')).toEqual([{ event_id: 'b', name: '乙组' }])
    forgetChoices('a')
    expect(elsewhere('a')).toEqual([])
  })

  it('survives what somebody else left in the storage', () => {
    for (const text of ['{', '{"x":1}', '[1,null,{"event_id":2}]']) {
      localStorage.setItem('guanjun:elsewhere:a', text)
      expect(elsewhere('a')).toEqual([])
    }
  })
})
