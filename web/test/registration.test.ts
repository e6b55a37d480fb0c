import { describe, expect, it } from 'vitest'
import { isListed, personsOf, useSending, yuan, type Registration, type RegistrationPage } from '../src/register/registration'
import { ApiError } from '../src/shared/api'

const page = { players: 2, most_players: 2 } as RegistrationPage
const at = (status: number, code = 'busy'): ApiError => new ApiError(status, { code })
const atOnce = (): Promise<void> => Promise.resolve()

describe('the registration form', () => {
  it('begins with as many persons as a team needs', () => {
    expect(personsOf(page, null)).toEqual([
      { name: '', phone: '', kept: '' },
      { name: '', phone: '', kept: '' },
    ])
  })

  it('keeps phones that it never sees', () => {
    const mine = { players: [{ name: '甲', phone_masked: '138****0001' }] } as Registration
    expect(personsOf(page, mine)).toEqual([{ name: '甲', phone: '', kept: '138****0001' }])
  })

  it('knows a club of the list by any spelling', () => {
    expect(isListed('市 南', ['崂山', '市南'])).toBe(true)
    expect(isListed('Ａbc', ['aBC'])).toBe(true)
    expect(isListed('市北', ['市南'])).toBe(false)
  })

  it('writes money as people do', () => {
    expect([0, 3000, 3050].map(yuan)).toEqual(['0', '30', '30.50'])
  })
})

describe('sending a registration', () => {
  it('asks again under the same key until there is an answer', async () => {
    const keys: string[] = []
    const { send, busy, failure } = useSending(atOnce)
    const reply = await send((key) => {
      keys.push(key)
      return keys.length < 3 ? Promise.reject(at(keys.length === 1 ? 0 : 503)) : Promise.resolve('in')
    })
    expect(reply).toBe('in')
    expect(keys.length).toBe(3)
    expect(new Set(keys).size).toBe(1)
    expect([busy.value, failure.value]).toEqual([false, null])
  })

  it('takes a refusal for an answer', async () => {
    let sent = 0
    const { send, failure } = useSending(atOnce)
    const reply = await send(() => {
      sent += 1
      return Promise.reject(at(409, 'phone_taken'))
    })
    expect([reply, sent, failure.value?.code]).toEqual([undefined, 1, 'phone_taken'])
  })

  it('gives up after a few tries and says so', async () => {
    let sent = 0
    const { send, failure, again } = useSending(atOnce)
    await send(() => {
      sent += 1
      return Promise.reject(at(0, 'network'))
    })
    expect([sent, failure.value?.code, again.value]).toEqual([4, 'network', false])
  })
})
