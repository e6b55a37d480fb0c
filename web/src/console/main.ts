import { createApp } from 'vue'
import 'element-plus/theme-chalk/base.css'
import '../shared/base.css'
import './console.css'
import { speakAs } from '../shared/session'
import ConsoleApp from './ConsoleApp.vue'
import { sendDigits } from './privacy/digits'
import { readNames } from './privacy/names'
import { router } from './router'

speakAs('account')
sendDigits()
readNames()
createApp(ConsoleApp).use(router).mount('#app')
