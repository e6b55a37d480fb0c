import { createApp } from 'vue'
import { eventOfAddress } from '../shared/links'
import './screen.css'
import NoEvent from './NoEvent.vue'
import ScreenPage from './ScreenPage.vue'

const event = eventOfAddress()
const page = event === null ? createApp(NoEvent) : createApp(ScreenPage, { event })
page.mount('#app')
