import { createApp } from 'vue'
import '../shared/base.css'
import LaddersPage from './LaddersPage.vue'
import { placeOf } from './words'

createApp(LaddersPage, { place: placeOf(location) }).mount('#app')
