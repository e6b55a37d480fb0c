import addends from './en/addends'
import counted from './en/counted'
import play from './en/play'
import find from './en/play-find'
import mine from './en/play-mine'
import standings from './en/play-standings'
import table from './en/play-table'
import reasons from './en/table-reasons'
import shared from './en/shared'
import wechat from './en/wechat'

/** All English of the phone, in one file that is fetched by who reads it; named as the catalogues are. */
export default { addends, counted, play, 'play-find': find, 'play-mine': mine, 'play-standings': standings, 'play-table': table, 'table-reasons': reasons, shared, wechat }
