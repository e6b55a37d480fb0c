import { createApp } from 'vue'
import '../shared/base.css'
import { eventOfAddress } from '../shared/links'
import EventPage from './EventPage.vue'

createApp(EventPage, { event: eventOfAddress() ?? '' }).mount('#app')
