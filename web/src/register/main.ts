import { createApp } from 'vue'
import '../shared/base.css'
import './register.css'
import { eventOfAddress } from '../shared/links'
import { speakAs } from '../shared/session'
import NoEvent from './NoEvent.vue'
import RegisterPage from './RegisterPage.vue'

// Who is signed in registers under the account; everybody else is known by this browser's cookie.
speakAs('account')
const event = eventOfAddress()
const page = event === null ? createApp(NoEvent) : createApp(RegisterPage, { event })
page.mount('#app')
