import { createRouter, createWebHistory } from 'vue-router'
import { t } from '../shared/i18n/console'
import { tokenOfAddress } from '../shared/links'
import EventFrame from './frame/EventFrame.vue'
import MyEventsPage from './events/MyEventsPage.vue'
import { account, loadSession } from './session/session'
import SignInPage from './session/SignInPage.vue'

/** Pages of one event stand under its id: `/c/{event}/scoring`. One folder of this page per child. */
export const router = createRouter({
  history: createWebHistory('/c/'),
  routes: [
    { path: '/', name: 'events', component: MyEventsPage },
    { path: '/sign-in', name: 'sign-in', component: SignInPage, meta: { open: true } },
    { path: '/account', name: 'account', component: () => import('./account/AccountPage.vue') },
    { path: '/platform', name: 'platform', component: () => import('./platform/PlatformPage.vue') },
    { path: '/platform/ladders', name: 'platform-ladders', component: () => import('./ladders/LaddersPage.vue') },
    { path: '/platform/ladders/:ladder', name: 'platform-ladder', component: () => import('./ladders/LadderPage.vue'), props: true },
    { path: '/import', name: 'import-event', component: () => import('./files/DocumentImportPage.vue') },
    { path: '/new', name: 'new-event', component: () => import('./events/CreateEventPage.vue') },
    { path: '/:event/desk', name: 'desk', component: () => import('./desk/DeskPage.vue'), props: true, meta: { open: true } },
    {
      path: '/:event',
      component: EventFrame,
      props: true,
      children: [
        { path: '', name: 'event', redirect: { name: 'overview' } },
        { path: 'overview', name: 'overview', component: () => import('./overview/OverviewPage.vue') },
        { path: 'entries', name: 'entries', component: () => import('./entries/EntriesPage.vue') },
        { path: 'entries/import', name: 'import', component: () => import('./entries/ImportPage.vue') },
        { path: 'rounds/:number(\\d+)?', name: 'rounds', component: () => import('./rounds/RoundsPage.vue') },
        { path: 'bracket', name: 'bracket', component: () => import('./rounds/BracketPage.vue') },
        { path: 'calendar', name: 'calendar', component: () => import('./rounds/CalendarPage.vue') },
        { path: 'scoring/:number(\\d+)?', name: 'scoring', component: () => import('./scoring/ScoringPage.vue') },
        { path: 'standings', name: 'standings', component: () => import('./standings/StandingsPage.vue') },
        { path: 'standings/:entry(\\d+)', name: 'team', component: () => import('./standings/TeamPage.vue') },
        { path: 'charts', name: 'charts', component: () => import('./standings/ChartsPage.vue') },
        { path: 'winners', name: 'winners', component: () => import('./standings/WinnersPage.vue') },
        { path: 'clubs', name: 'clubs', component: () => import('./standings/ClubsPage.vue') },
        { path: 'boards', name: 'boards', component: () => import('./duplicate/BoardsPage.vue') },
        { path: 'display', name: 'display', component: () => import('./display/DisplayPage.vue') },
        { path: 'series', name: 'series', component: () => import('./series/SeriesPage.vue') },
        { path: 'series/:stage(\\d+)', name: 'stage', component: () => import('./series/FormStagePage.vue') },
        { path: 'payments', name: 'payments', component: () => import('./payments/PaymentsPage.vue') },
        { path: 'files', name: 'files', component: () => import('./files/FilesPage.vue') },
        { path: 'print/:sheet', name: 'print', component: () => import('./print/PrintPage.vue') },
        { path: 'settings/:group?', name: 'settings', component: () => import('./settings/SettingsPage.vue') },
      ],
    },
    { path: '/:rest(.*)*', redirect: { name: 'events' } },
  ],
  scrollBehavior: (to, from, saved) => saved ?? (to.path === from.path ? false : { top: 0 }),
})

router.beforeEach(async (to) => {
  // The desk's link is the event's address with a token: `/c/{event}#token`.
  if (to.params.event && to.name !== 'desk' && tokenOfAddress(to) !== null) {
    return { name: 'desk', params: { event: to.params.event }, hash: to.hash }
  }
  if (to.meta.open) return true
  if (account.value === null) await loadSession()
  return account.value === null ? { name: 'sign-in', query: { next: to.fullPath } } : true
})

router.afterEach(() => {
  document.title = `${t('appName')} · ${t('consoleTitle')}`
})
