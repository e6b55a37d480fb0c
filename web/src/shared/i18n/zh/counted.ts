export default {
  countedBefore: '第 {round} 轮之前',
  countedPart: '第 {round} 轮进行中',
  countedAll: '截至第 {round} 轮',
} as const
