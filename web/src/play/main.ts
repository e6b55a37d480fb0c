import { createApp } from 'vue'
import '../shared/base.css'
import './play.css'
import { eventOfAddress } from '../shared/links'
import { englishComesLater, languageReady } from '../shared/i18n/language'
import { loadEnglish } from '../shared/i18n/later'
import { speakAs } from '../shared/session'
import { choiceOf, playAddress } from './linked'
import NoEvent from './NoEvent.vue'
import PlayPage from './PlayPage.vue'
import { rememberedMe } from './remembered'

speakAs('player')
englishComesLater(loadEnglish)
const event = eventOfAddress()
// One code for several events: who chose another one of them, and is known there, goes on there.
const chosen = event !== null && rememberedMe(event) === null ? choiceOf(event) : null
if (chosen !== null && chosen !== event && rememberedMe(chosen) !== null) location.replace(playAddress(chosen))
else void languageReady().then(() => (event === null ? createApp(NoEvent) : createApp(PlayPage, { event })).mount('#app'))

// Without it (plain HTTP in a hall, iPhone WeChat) everything but a start without a network works the same. It fetches
// the whole page again and all its parts: not before the first visitor can use what is there.
const AFTER_START = 4000
if (import.meta.env.PROD && 'serviceWorker' in navigator && window.isSecureContext) {
  const register = (): void => void navigator.serviceWorker.register('/sw.js').catch(() => undefined)
  addEventListener('load', () => setTimeout(register, AFTER_START))
}
