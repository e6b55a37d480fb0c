import { api } from '../api'

/** WeChat's own browser. 企业微信 says so too and is another world: its users have no openid of an official account. */
export function insideWechat(agent: string = navigator.userAgent): boolean {
  return /MicroMessenger/i.test(agent) && !/wxwork/i.test(agent)
}

export type Purpose = 'sign_in' | 'bind' | 'follow'

/** What this tab went to WeChat for; the fragment (an invitation's token) stays here and never leaves the phone. */
export interface Errand {
  purpose: Purpose
  path: string
  hash: string
}

const ERRAND = 'guanjun:wechat'

/** Leaves for WeChat, which sends the browser back to `/w` and that on to `path`. */
export async function goToWechat(purpose: Purpose, path = location.pathname + location.search, hash = location.hash): Promise<void> {
  const { address } = await api.post('/api/wechat/visits', { body: { purpose, return_path: path } })
  keep(ERRAND, JSON.stringify({ purpose, path, hash }))
  location.assign(address)
}

/** What this tab left for; null in another tab or without storage. */
export function errand(): Errand | null {
  try {
    return JSON.parse(sessionStorage.getItem(ERRAND) ?? 'null') as Errand | null
  } catch {
    return null
  }
}

/** Where to go on: the server's path, with the fragment that stayed here if it is the same errand's. */
export function onward(path: string): string {
  const left = errand()
  return left?.path === path ? path + left.hash : path
}

const ASKED = 'guanjun:wechat-asked'

/** Whether this tab has been to WeChat already to learn who it is; once is enough, or it would go round in circles. */
export function askedBefore(now?: boolean): boolean {
  if (now !== undefined) keep(ASKED, now ? '1' : '')
  try {
    return sessionStorage.getItem(ASKED) === '1'
  } catch {
    return true
  }
}

function keep(name: string, value: string): void {
  try {
    sessionStorage.setItem(name, value)
  } catch {
    // without storage the way back is the server's path alone
  }
}
