import enPage from './en/wechat'
import enShared from './en/shared'
import { translator } from './translate'
import zhPage from './zh/wechat'
import zhShared from './zh/shared'

/** Texts of WeChat, with the shared ones. */
export const t = translator({ ...zhShared, ...zhPage }, () => ({ ...enShared, ...enPage }))
