export default {
  standingsTitle: '排名',
  standingsAfter: '计入 {round} 轮',
  standingsLive: '含未提交的比分',
  standingsNone: '还没有排名',
  standingsNoneHint: '第一桌确认比分后，排名会出现在这里',
  tied: '并列',
  goToMine: '看我的位置',
  pageOf: '第 {page}/{pages} 页',
  previousPage: '上一页',
  nextPage: '下一页',
  movedUp: '升 {n}',
  movedDown: '降 {n}',
} as const
