import { createApp } from 'vue'
import '../shared/base.css'
import HomePage from './HomePage.vue'

createApp(HomePage).mount('#app')
