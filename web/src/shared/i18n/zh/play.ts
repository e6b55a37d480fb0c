export default {
  wrongCode: '没有这场比赛',
  wrongCodeHint: '请扫现场大屏或主办方给的“一码通”二维码；如果是转发来的链接，请让对方重新发一次',
  cannotOpen: '现在打不开',
  tabs: '页面',
  tabTable: '本桌',
  tabFind: '找到我',
  tabStandings: '排名',
  tabMine: '我的',
} as const
