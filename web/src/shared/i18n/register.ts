import enPage from './en/register'
import enShared from './en/shared'
import { translator } from './translate'
import zhPage from './zh/register'
import zhShared from './zh/shared'

/** Texts of the registration page, with the shared ones. */
export const t = translator({ ...zhShared, ...zhPage }, { ...enShared, ...enPage })
