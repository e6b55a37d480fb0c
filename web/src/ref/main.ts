import { createApp } from 'vue'
import '../shared/base.css'
import { eventOfAddress } from '../shared/links'
import { speakAs } from '../shared/session'
import RefPage from './RefPage.vue'

speakAs('link')
createApp(RefPage, { event: eventOfAddress() ?? '' }).mount('#app')
