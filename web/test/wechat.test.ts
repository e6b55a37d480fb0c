import { afterEach, describe, expect, it } from 'vitest'
import { groupsFor } from '../src/console/settings/groups'
import { askedBefore, insideWechat, onward } from '../src/shared/wechat/inside'

afterEach(() => sessionStorage.clear())

describe('the browser', () => {
  it('is inside WeChat by its own word, and not inside 企业微信', () => {
    expect(insideWechat('Mozilla/5.0 Chrome/116 Mobile MicroMessenger/8.0.47 WeChat/arm64')).toBe(true)
    expect(insideWechat('Mozilla/5.0 Chrome/116 Mobile wxwork/4.1 MicroMessenger/7.0.1')).toBe(false)
    expect(insideWechat('Mozilla/5.0 (X11; Linux) Chrome/130 Safari/537.36')).toBe(false)
  })
})

describe('coming back', () => {
  it('adds the fragment that stayed on the phone, to its own path only', () => {
    sessionStorage.setItem('guanjun:wechat', JSON.stringify({ purpose: 'follow', path: '/e/one', hash: '#an-invitation' }))
    expect(onward('/e/one')).toBe('/e/one#an-invitation')
    expect(onward('/e/two')).toBe('/e/two')
  })

  it('goes on without storage of its own', () => {
    sessionStorage.setItem('guanjun:wechat', 'not json')
    expect(onward('/c/')).toBe('/c/')
  })

  it('remembers that it has been there', () => {
    expect(askedBefore()).toBe(false)
    expect(askedBefore(true)).toBe(true)
    expect(askedBefore()).toBe(true)
    expect(askedBefore(false)).toBe(false)
  })
})

describe('the switch 允许微信公众号报名', () => {
  const later = (ready: readonly 'wechat'[]): unknown =>
    groupsFor(undefined, ready).flatMap((group) => group.fields).find((field) => field.path === 'allow_wechat')?.later

  it('waits until there is an official account', () => {
    expect(later([])).toBe('wechat')
    expect(later(['wechat'])).toBeUndefined()
  })
})
