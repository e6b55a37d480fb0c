import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'
import { budget } from './vite/budget.ts'
import { strictPolicy } from './vite/content-security-policy.ts'
import { PASSES, prettyPaths } from './vite/pages.ts'
import { laterEnglish } from './vite/later-english.ts'
import { phoneChunks, phonePage } from './vite/phone-page.ts'

/** Oldest kernels met in WeChat (XWeb 78-81, iOS 13). Vite lowers syntax, not APIs: see docs/decisions. */
const OLD_KERNELS = ['chrome79', 'safari13']

/** Kilobytes of a page's first load after brotli: what slow 3G brings in about four seconds, for the phone. */
const FIRST_LOAD = { 'play.html': 40, 'event.html': 60, 'index.html': 60, 'ladders.html': 60, 'ref.html': 60, 'register.html': 40, 'screen.html': 60, 'wechat.html': 60, 'console.html': 220 }

/** The local runner, for `npm run dev`. */
const RUNNER = 'http://127.0.0.1:8000'

export default defineConfig(({ mode }) => ({
  plugins: [vue(), prettyPaths(), ...(mode === 'play' ? [laterEnglish(), phonePage()] : [strictPolicy()]), budget(FIRST_LOAD)],
  define: {
    __VUE_OPTIONS_API__: 'false',
    __VUE_PROD_DEVTOOLS__: 'false',
    __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
  },
  server: { proxy: { '/api': RUNNER, '/pub': RUNNER } },
  build: {
    target: OLD_KERNELS,
    cssTarget: OLD_KERNELS,
    modulePreload: mode === 'play' ? false : { polyfill: false },
    // The first pass clears the folder, the next ones add to it.
    emptyOutDir: mode === 'play',
    chunkSizeWarningLimit: 900,
    rollupOptions: {
      input: PASSES[mode] ?? Object.values(PASSES).flat(),
      ...(mode === 'play' ? { output: phoneChunks, preserveEntrySignatures: false as const } : {}),
    },
  },
}))
