export default {
  deskTitle: '签到台',
  deskSearch: '输入编号、姓名或手机后四位，回车签到',
  deskRepeat: '{time} 已签到（{who}）',
} as const
