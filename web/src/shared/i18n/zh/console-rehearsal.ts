/** 演练: robots play an event of one's own. */
export default {
  rehearse: '一键演练',
  rehearsalText: '机器人选手会报名、签到、记分，把一场测试赛打完。可同时打开裁判页和投屏查看，不占赛事名额。',
  rehearsalName: '演练 · {kind}',
  rehearsalEntries: '队伍数（4–120）',
  rehearsalRounds: '轮数（1–8）',
  rehearsalPace: '每轮用时',
  paceQuick: '30 秒',
  paceLive: '90 秒',
  paceHall: '10 分钟',
  startRehearsal: '开始演练',
  rehearsalRuns: '机器人正在比赛',
  rehearsalOver: '演练已停止',
  rehearsalProgress: '已完成 {round}/{rounds} 轮',
  stopRobots: '停止机器人',
  robotsStopped: '机器人已停止，已有成绩保留',
} as const
