import { createApp } from 'vue'
import '../shared/base.css'
import './play.css'
import { eventOfAddress } from '../shared/links'
import { speakAs } from '../shared/session'
import NoEvent from './NoEvent.vue'
import PlayPage from './PlayPage.vue'

speakAs('player')
const event = eventOfAddress()
const page = event === null ? createApp(NoEvent) : createApp(PlayPage, { event })
page.mount('#app')

// Without it (plain HTTP in a hall, iPhone WeChat) everything but a start without a network works the same.
if (import.meta.env.PROD && 'serviceWorker' in navigator && window.isSecureContext) {
  addEventListener('load', () => navigator.serviceWorker.register('/sw.js').catch(() => undefined))
}
