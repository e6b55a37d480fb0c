"""Refusals: one exception, one catalogue. Each becomes an RFC 9457 problem document at the edge.

A code is stable and means one thing; its Chinese and English sentence say what is wrong and the way out.
"""

from __future__ import annotations

from typing import Any

from chalicelib.services.match_day_problems import MATCH_DAY
from chalicelib.services.series_problems import SERIES


class Problem(Exception):
    """A refusal that a person can understand.

    ``code`` names a row of :data:`CATALOGUE`; ``field`` is the JSON path of the wrong value, if one is; ``current``
    is the state that the caller did not know (after a version conflict); ``words`` (and ``field``) fill the sentences.
    """

    def __init__(self, code: str, field: str | None = None, current: Any = None, **words: Any) -> None:
        super().__init__(code)
        self.code = code
        self.field = field
        self.current = current
        self.words = words

    @property
    def status(self) -> int:
        """HTTP status of this code."""
        return CATALOGUE[self.code][0]

    def sentence(self, language: str) -> str:
        """The sentence in ``zh`` or ``en``, filled in."""
        _, zh, en = CATALOGUE[self.code]
        # A reason that is the same in both languages, such as a list of codes, is given once.
        why = self.words.get("why", "")
        words = {"field": self.field or "", "why_zh": why, "why_en": why, **self.words}
        return (zh if language == "zh" else en).format(**words)

    def document(self) -> dict[str, Any]:
        """The problem document: type, title, status, code, both sentences, field and current state if any."""
        body: dict[str, Any] = {
            "type": f"urn:guanjun:problem:{self.code}",
            "title": self.sentence("en"),
            "status": self.status,
            "code": self.code,
            "detail_zh": self.sentence("zh"),
            "detail_en": self.sentence("en"),
        }
        if self.field is not None:
            body["field"] = self.field
        if self.current is not None:
            body["current"] = self.current
        return body


CATALOGUE: dict[str, tuple[int, str, str]] = {
    # requests
    "bad_json": (400, "请求内容不是有效的 JSON。", "The request body is not valid JSON."),
    "bad_value": (400, "“{field}”的值不正确：{why_zh}。", "The value of '{field}' is not acceptable: {why_en}."),
    "bad_characters": (400, "“{field}”含有不允许的字符。", "'{field}' contains characters that are not allowed."),
    "key_missing": (400, "缺少请求标识（Idempotency-Key）。", "The Idempotency-Key header is missing."),
    "key_invalid": (
        400,
        "请求标识（Idempotency-Key）须为 8 至 64 个字母、数字或连字符。",
        "The Idempotency-Key must be 8 to 64 letters, digits or hyphens.",
    ),
    "key_reused": (
        422,
        "同一请求标识曾用于不同的内容，请刷新后重试。",
        "This Idempotency-Key was used for a different request. Reload and try again.",
    ),
    "too_large": (413, "内容过大，最多 {limit}。", "The content is too large; at most {limit}."),
    "not_found": (404, "没有找到您要的内容。", "There is nothing here."),
    "method_not_allowed": (405, "不支持这种请求方式。", "This method is not supported here."),
    "unsupported_media_type": (415, "请求内容须为 JSON。", "The request body must be JSON."),
    "busy": (503, "系统正忙，请稍候再试。", "The system is busy, please try again in a moment."),
    "internal": (500, "系统出错，已记录。请稍候再试。", "Something went wrong and was recorded. Please try again."),
    # privacy
    "digits_weak": (
        400,
        "密钥须为至少 12 位数字，且不能过于简单。",
        "The key must be at least 12 digits, and not so plain.",
    ),
    "digits_needed": (
        403,
        "本赛事已加密，请先输入密钥。",
        "This event is encrypted. Please enter its digits first.",
    ),
    "digits_wrong": (403, "密钥不正确。", "These are not the digits of this event."),
    "not_encrypted": (409, "本赛事没有加密。", "This event is not encrypted."),
    "encrypted_already": (409, "本赛事已经加密。", "This event is encrypted already."),
    "key_expired": (
        403,
        "密钥的使用时间已过，请重新输入。",
        "The key was lent for 15 minutes. Please enter the digits again.",
    ),
    # payments
    "order_not_found": (404, "没有找到这笔订单。", "There is no such order."),
    "nothing_to_pay": (409, "这支队伍目前无需在线付款。", "This team has nothing to pay online now."),
    "payments_down": (
        503,
        "支付服务暂时没有响应，请稍候再试。您的名额仍为您保留。",
        "The payment service does not answer at the moment. Please try again shortly; your place is held.",
    ),
    "order_not_paid": (409, "只有已支付的订单可以退款。", "Only an order that is paid can be refunded."),
    "paid_online": (
        409,
        "这支队伍已在线付款，请在“订单”页退款。",
        "This team paid online. Please refund it on the page 'Orders'.",
    ),
    "notice_refused": (401, "支付通知未通过验证。", "The payment notice could not be verified."),
    # people
    "sign_in_required": (401, "请先登录。", "Please sign in first."),
    "forbidden": (403, "您没有进行此操作的权限。", "You are not allowed to do this."),
    "csrf": (403, "页面已过期，请刷新后重试。", "The page has expired. Reload and try again."),
    "bad_phone": (400, "请输入 11 位手机号。", "Please enter an 11-digit phone number."),
    "bad_code": (
        400,
        "验证码不正确或已过期，请重新获取。",
        "The code is wrong or has expired. Please ask for a new one.",
    ),
    "too_many_codes": (
        429,
        "获取验证码过于频繁，请 {seconds} 秒后再试。",
        "Too many codes were requested. Try again in {seconds} seconds.",
    ),
    "too_many_tries": (429, "尝试次数过多，请 {seconds} 秒后再试。", "Too many tries. Try again in {seconds} seconds."),
    "wechat_off": (
        409,
        "本站没有配置微信公众号，请用手机号登录。",
        "No WeChat account is set up here. Sign in by phone.",
    ),
    "wechat_state": (
        400,
        "这次微信登录已失效，请重新开始，或用手机号登录。",
        "This WeChat sign-in is not valid any more. Begin again, or sign in by phone.",
    ),
    "wechat_code": (
        400,
        "微信没有认可这次登录，请重新开始，或用手机号登录。",
        "WeChat did not accept this sign-in. Begin again, or sign in by phone.",
    ),
    "wechat_down": (
        503,
        "微信暂时没有回应，请稍候再试，或用手机号登录。",
        "WeChat does not answer at the moment. Try again shortly, or sign in by phone.",
    ),
    "wechat_taken": (
        409,
        "这个微信已绑定另一个账号。请先在那个账号的“我的账号”里解绑，或用手机号登录。",
        "This WeChat is bound to another account. Unbind it there, under 'My account', or sign in by phone.",
    ),
    "wechat_other": (
        409,
        "这个手机号的账号已绑定另一个微信。请先用手机号登录，在“我的账号”里解绑。",
        "This phone's account is bound to another WeChat. Sign in by phone and unbind it under 'My account'.",
    ),
    "link_invalid": (
        401,
        "链接无效或已更换，请向组织者索取新链接。",
        "This link is not valid any more. Ask the organizer for a new one.",
    ),
    # events
    "event_not_found": (404, "没有找到这场赛事。", "There is no such event."),
    "event_ended": (
        409,
        "赛事已经结束，如需继续请组织者取消“比赛结束”。",
        "The event has ended. The organizer can undo that.",
    ),
    "stale_version": (
        409,
        "内容刚被其他人修改过，请核对最新内容后再提交。",
        "Somebody else has just changed this. Look at the current state and submit again.",
    ),
    "settings_inconsistent": (
        400,
        "设置互相矛盾：{why_zh}。{way_out_zh}。",
        "The settings contradict each other: {why_en}. {way_out_en}.",
    ),
    "setting_not_offered": (
        400,
        "“{kind_zh}”没有“{setting_zh}”这一项。",
        "'{kind_en}' does not offer '{setting_en}'.",
    ),
    "kind_unknown": (400, "没有“{kind}”这种比赛。", "There is no kind of event called '{kind}'."),
    "confirmation_needed": (
        409,
        "第 {round} 轮已有成绩，修改计分规则会重排名次，请确认。",
        "Round {round} has results already; changing the rules moves ranks. Please confirm.",
    ),
    "event_quota": (
        409,
        "您的 VIP 等级最多可保留 {limit} 场赛事（测试赛不计），请删除旧赛事或升级 VIP。",
        "Your VIP level holds at most {limit} events (test events do not count). Delete an old one or raise the level.",
    ),
    "vip_needed": (
        403,
        "“{setting_zh}”须 VIP {level} 及以上，请升级 VIP 或恢复原值。",
        "'{setting_en}' needs VIP level {level} or higher. Raise the level or take the change back.",
    ),
    "name_differs": (400, "输入的名称与赛事名称不一致。", "The name typed is not the event's name."),
    "event_deleted": (409, "赛事已删除，请先恢复。", "The event is deleted; restore it first."),
    "not_deleted": (409, "赛事没有被删除。", "The event is not deleted."),
    "restore_too_late": (409, "删除已超过 {days} 天，无法恢复。", "It was deleted more than {days} days ago."),
    "hands_wrong": (400, "牌张不正确：{why_zh}。", "The hands are not one deal: {why_en}."),
    "board_not_found": (404, "没有这一副牌。", "There is no such board."),
    "ladder_not_found": (404, "没有这个天梯。", "There is no such ladder."),
    "season_not_found": (404, "这个天梯没有这个赛季。", "The ladder has no such season."),
    "ladder_member_not_found": (404, "天梯上没有这个人。", "There is nobody like that on the ladder."),
    "season_open": (409, "当前赛季还没有结束。请先结束它。", "The season that counts is still open. Close it first."),
    "season_closed": (409, "没有进行中的赛季。请先开始一个赛季。", "No season is open. Open one first."),
    "ladder_archived": (409, "天梯已归档。请先恢复。", "The ladder is archived. Bring it back first."),
    "account_not_found": (404, "没有这个账号。", "There is no such account."),
    "administrator_stays": (409, "不能取消自己的平台管理员。", "You cannot take your own administration away."),
    "bad_password": (400, "手机号或密码不正确。", "The phone or the password is wrong."),
    "password_weak": (400, "密码太常见或过于简单，请换一个。", "This password is too easy to guess. Choose another."),
    "time_zone_unknown": (400, "没有“{zone}”这个时区。", "There is no time zone called '{zone}'."),
    "owner_stays": (409, "不能移除赛事的创建者。", "The owner of the event cannot be removed."),
    "too_many_members": (409, "管理员最多 {limit} 名。", "An event has at most {limit} administrators."),
    "registration_closed": (409, "报名已经截止。", "Registration is closed."),
    "consent_missing": (
        400,
        "请阅读并勾选个人信息使用说明。",
        "Please read and tick how your personal data is used.",
    ),
    "single_not_allowed": (
        400,
        "本赛事不接受单人报名，请填写搭档或邀请搭档。",
        "Single players cannot register here. Name your partner or invite one.",
    ),
    "cap_reached": (
        409,
        "每个账号最多报名 {limit} 队，您已达到上限。",
        "One account may enter at most {limit} teams, and you have reached that.",
    ),
    "invitation_invalid": (
        404,
        "邀请链接无效，或已有搭档加入。",
        "This invitation is not valid, or somebody has already joined.",
    ),
    "partner_joined": (409, "已有搭档加入该队。", "Somebody else has already joined."),
    "not_single": (
        409,
        "第 {number} 号不是等待搭档的单人报名。",
        "Entry {number} is not a single player without a partner.",
    ),
    # entries
    "entry_not_found": (404, "没有找到这支队伍。", "There is no such entry."),
    "phone_taken": (409, "手机号 {phone} 已在本场赛事报名。", "Phone {phone} is already entered in this event."),
    "phone_twice": (400, "同一手机号出现了两次。", "The same phone appears twice."),
    "players_wrong": (400, "本赛事每队须有 {count} 名选手。", "Each entry of this event needs {count} players."),
    "roster_faults": (
        422,
        "名单中有 {count} 处问题，未导入任何内容。",
        "The roster has {count} faults; nothing was imported.",
    ),
    "event_purged": (
        409,
        "个人信息已按设定的日期清除，不能再登记姓名和手机号；如需继续，请先把清除日期改到以后。",
        "Personal data were purged on the date that was set, so nobody can be entered. Set a later date first.",
    ),
    "nothing_rejected": (409, "没有被退回的行。", "No row was rejected."),
    "file_large": (
        409,
        "这场赛事很大，文件要用一小会儿制作，请在控制台下载。",
        "This event is large and its files take a while to make; download them in the console.",
    ),
    "round_large": (
        409,
        "这一轮桌数很多，要用一小会儿，请在控制台操作。",
        "This round has many tables and takes a while; do it in the console.",
    ),
    "round_under_way": (
        409,
        "这一轮正在发布或结算，请稍候。",
        "This round is being published or settled. Please wait a moment.",
    ),
    "upload_missing": (
        404,
        "没有找到上传的文件，请重新选择文件。",
        "The uploaded file is not there. Please choose the file again.",
    ),
    "upload_encrypted": (
        409,
        "本赛事已加密，名单不能以明文上传，请重新选择文件。",
        "This event is encrypted: its roster is never uploaded in the clear. Please choose the file again.",
    ),
    "phone_taken_meanwhile": (
        409,
        "导入期间有人用名单中的手机号报名，未导入任何内容，请重新检查名单。",
        "Somebody entered one of the phones meanwhile; nothing was imported. Please check the file again.",
    ),
    "too_many_imports": (
        409,
        "本场赛事已导入 {limit} 个文件，请逐队添加。",
        "{limit} files were imported into this event; add further entries one by one.",
    ),
    "club_missing": (400, "本赛事须填写团体。", "Entries of this event need a club."),
    "entry_withdrawn": (409, "该队已退赛。", "The entry has withdrawn."),
    "too_many_entries": (409, "队伍数量超过上限 {limit}。", "There are more entries than the limit of {limit}."),
    "entry_seated": (
        409,
        "该队已编排在第 {round} 轮，请先处理该轮。",
        "The entry is seated in round {round}; deal with that round first.",
    ),
    **MATCH_DAY,
    **SERIES,
    # check-in and identifying
    "nobody_found": (
        404,
        "没有找到，请核对姓名或手机号，或联系现场工作人员。",
        "Nobody found. Check the name or phone, or ask at the desk.",
    ),
    "search_by_phone_only": (400, "本赛事请输入手机号查找。", "This event asks for the phone number."),
    "entry_not_in": (
        409,
        "该队还在候补名单或等待搭档，暂不能签到。",
        "The team is on the waiting list or without a partner; it cannot check in yet.",
    ),
    "not_checked_in": (409, "尚未签到。", "Not checked in yet."),
    "not_your_phone": (
        403,
        "这名选手登记的是另一个手机号，请用登记的手机号登录，或联系现场工作人员。",
        "This player is entered with another phone. Sign in with that phone, or ask at the desk.",
    ),
    "not_linkable": (
        400,
        "“{name}”不能关联：须是您管理且未结束的赛事。",
        "'{name}' cannot be linked: it must be an event that you run and that has not ended.",
    ),
    "device_not_found": (404, "没有这台设备。", "There is no such device."),
    "identify_first": (401, "请先找到并确认自己的身份。", "Please find and confirm yourself first."),
}
