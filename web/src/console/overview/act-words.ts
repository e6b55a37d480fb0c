import type { Schemas } from '../../shared/api'
import { t } from '../../shared/i18n/console'

const ACTS = {
  'account.sign_in': 'actAccountSignIn',
  'account.sign_out': 'actAccountSignOut',
  'account.profile': 'actAccountProfile',
  'account.password': 'actAccountPassword',
  'account.password_removed': 'actAccountPasswordRemoved',
  'account.wechat_bound': 'actAccountWechatBound',
  'account.wechat_unbound': 'actAccountWechatUnbound',
  'account.manage': 'actAccountManage',
  'account.make_administrator': 'actAccountMakeAdministrator',
  'event.delete': 'actEventDelete',
  'event.restore': 'actEventRestore',
  'member.add': 'actMemberAdd',
  'member.remove': 'actMemberRemove',
  'board.record_hands': 'actRecordHands',
  'event.link': 'actEventLink',
  'device.revoke': 'actDeviceRevoke',
  'event.create': 'actEventCreate',
  'event.configure': 'actEventConfigure',
  'event.import_clubs': 'actImportClubs',
  'event.end': 'actEventEnd',
  'event.reopen': 'actEventReopen',
  'entry.add': 'actEntryAdd',
  'entry.change': 'actEntryChange',
  'entry.import': 'actEntryImport',
  'entry.withdraw': 'actEntryWithdraw',
  'entry.return': 'actEntryReturn',
  'entry.substitute': 'actEntrySubstitute',
  'entry.substitute_back': 'actEntrySubstituteBack',
  'entry.line_up': 'actTableLineUp',
  'entry.check_in': 'actCheckIn',
  'entry.check_out': 'actCheckOut',
  'order.open': 'actOrderOpen',
  'order.paid': 'actOrderPaid',
  'order.returned': 'actOrderReturned',
  'order.refund': 'actOrderRefund',
  'order.refunded': 'actOrderRefunded',
  'round.draw': 'actRoundDraw',
  'round.rearrange': 'actRoundRearrange',
  'round.publish': 'actRoundPublish',
  'round.settle': 'actRoundSettle',
  'round.reopen': 'actRoundReopen',
  'round.delete': 'actRoundDelete',
  'clock.start': 'actClockStart',
  'clock.pause': 'actClockPause',
  'clock.resume': 'actClockResume',
  'clock.extend': 'actClockExtend',
  'clock.end': 'actClockEnd',
  'clock.reset': 'actClockReset',
  'table.rule': 'actTableRule',
  'table.lift': 'actTableLift',
  'table.postpone': 'actTablePostpone',
  'table.extra_time': 'actTableExtraTime',
  'table.line_up': 'actTableLineUp',
  'table.submit': 'actSubmit',
  'standings.freeze': 'actFreeze',
  'standings.unfreeze': 'actUnfreeze',
  'winners.decide': 'actDecide',
  'display.picture': 'actPicture',
  'display.remove_picture': 'actRemovePicture',
  'table.forfeit': 'actForfeit',
  'entry.adjust': 'actAdjust',
  'entry.unadjust': 'actUnadjust',
  'call.make': 'actCallMake',
  'call.take': 'actCallTake',
  'call.close': 'actCallClose',
  'call.give_back': 'actCallGiveBack',
  'call.withdraw': 'actCallWithdraw',
  'event.restored_part': 'actRestoredPart',
  'event.encrypt': 'actEncrypt',
  'event.new_digits': 'actNewDigits',
  'event.new_key': 'actNewKey',
  'event.purge': 'actPurge',
  'event.erase': 'actErase',
  'person.erase': 'actPersonErase',
  'fee.paid': 'actFeePaid',
  'fee.unpaid': 'actFeeUnpaid',
  'groups.assign': 'actGroups',
  'series.arrange': 'actSeriesArrange',
  'series.form': 'actSeriesForm',
  'series.undo': 'actSeriesUndo',
  'registration.register': 'actRegister',
  'registration.join': 'actRegistrationJoin',
  'registration.match': 'actRegistrationMatch',
  'registration.admit': 'actRegistrationAdmit',
  'registration.close': 'actRegistrationClose',
  'link.renew': 'actLinkRenew',
  'display.show': 'actDisplay',
  'device.identify': 'actDeviceIdentify',
  'device.forget': 'actDeviceForget',
  'ladder.post': 'actLadderPost',
  'ladder.take_back': 'actLadderTakeBack',
  'ladder.create': 'actLadderCreate',
  'ladder.rename': 'actLadderRename',
  'ladder.change': 'actLadderChange',
  'ladder.archive': 'actLadderArchive',
  'ladder.bring_back': 'actLadderBringBack',
  'ladder.open_season': 'actLadderOpenSeason',
  'ladder.close_season': 'actLadderCloseSeason',
  'ladder.add_member': 'actLadderAddMember',
  'ladder.remove_member': 'actLadderRemoveMember',
  'ladder.restrict': 'actLadderRestrict',
  'ladder.open': 'actLadderOpen',
  'ladder.import_members': 'actLadderImportMembers',
} as const

/** One line of the log in words; an act this page does not know shows under its own name. */
export function actWords(line: Schemas['AuditLine']): string {
  const words = line.action in ACTS ? t(ACTS[line.action as keyof typeof ACTS]) : line.action
  return line.subject === null ? words : `${words} ${subjectWords(line.subject)}`.trim()
}

function subjectWords(subject: string): string {
  const table = /^table:(\d+)\.(\d+)$/.exec(subject)
  if (table) return t('subjectTable', { round: table[1] ?? '', table: table[2] ?? '' })
  const round = /^round:(\d+)$/.exec(subject)
  if (round) return t('subjectRound', { round: round[1] ?? '' })
  const entry = /^entry:(\d+)$/.exec(subject)
  return entry ? t('subjectEntry', { number: entry[1] ?? '' }) : ''
}

export function actorWords(actor: string): string {
  if (actor.startsWith('account:')) return t('actorOrganizer')
  if (actor.startsWith('device:')) return t('actorPlayer')
  if (actor === 'referee') return t('actorReferee')
  if (actor === 'desk') return t('actorDesk')
  return t('actorSystem')
}
