import { createApp } from 'vue'
import '../shared/base.css'
import './wechat.css'
import { speakAs } from '../shared/session'
import WechatPage from './WechatPage.vue'

speakAs('account')
const given = new URLSearchParams(location.search)
// The code is good once and nobody's business: neither a screenshot nor a way back shall have it.
history.replaceState(history.state, '', location.pathname)
createApp(WechatPage, { state: given.get('state') ?? '', code: given.get('code') ?? '' }).mount('#app')
