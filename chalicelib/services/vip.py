"""VIP levels: what an account may have, as one table. 临时VIP adds a level until a day; the higher one counts.

Quotas are kept with the account (``events_owned``) and moved in the transaction that creates, deletes or restores an
event or makes it a 测试赛, so that parallel requests cannot exceed them. Test events take none.
"""

from __future__ import annotations

from typing import Final

import msgspec
from pynamodb.expressions.condition import Condition

from chalicelib.services.finding import known_event
from chalicelib.services.problems import Problem
from chalicelib.services.settings import Settings
from chalicelib.services.views.events import EventVip, VipNeeded
from chalicelib.store.accounts import Account
from chalicelib.store.tables import whole
from chalicelib.store.transaction import Transaction


class Level(msgspec.Struct, frozen=True):
    """One level: events held at the same time, the cap on 每个账号报名上限, and the VIP options it opens."""

    number: int
    chinese: str
    english: str
    events: int
    entries_per_account: int
    options: frozenset[str]


OPTIONS: Final[dict[str, tuple[str, str]]] = {
    "no_advertisement": ("去除广告", "No advertisement"),
    "private": ("是否私人赛", "Private event"),
    "test": ("是否测试赛", "Test event"),
    "knockout": ("是否为淘汰赛", "Knock-out"),
    "double_submission": ("需要双提交", "Both sides submit"),
    "self_forfeit": ("允许选手自己操作弃权", "Players may forfeit"),
    "ranking_after_submission_only": ("仅提交后修改实时排名", "Rank submitted scores only"),
    "show_own_score": ("一码通界面展示分数", "Show own score"),
    "ladders": ("计入天梯分", "Counts for ladders"),
    "show_entry_count": ("报名提示人数", "Show the number registered"),
    "rotation_rules": ("团团转规则", "Rotation rules"),
    "registration_prompt": ("报名提示", "Registration prompt"),
    "rules_text": ("规则文书", "Rules text"),
}
"""Settings of the manual's VIP 专区 that a level may open or not; beginning to use one is what needs the level."""
_FREE: Final = frozenset(OPTIONS) - {"no_advertisement", "ladders"}
"""What every level opens (docs/decisions/vip.md says why): only what is the platform's own is kept for VIPs."""
LEVELS: Final[tuple[Level, ...]] = (
    Level(0, "普通", "Standard", 10, 10, _FREE),
    Level(1, "VIP 1", "VIP 1", 50, 50, frozenset(OPTIONS)),
    Level(2, "VIP 2", "VIP 2", 200, 200, frozenset(OPTIONS)),
    Level(3, "VIP 3", "VIP 3", 1000, 1000, frozenset(OPTIONS)),
)
_CAP: Final = ("每个账号报名上限", "Entries per account")


def level_of(account: Account, now: int) -> Level:
    """The level that counts at ``now`` (milliseconds): the account's own, or 临时VIP if that is higher."""
    own = int(account.vip_level or 0)
    until = whole(account.trial_until)
    trial = int(account.trial_level or 0) if until is not None and now < until else 0
    return LEVELS[max(own, trial)]


def check_options(account: Account, old: Settings | None, new: Settings, now: int, prefix: str = "settings.") -> None:
    """Raises vip_needed when ``new`` turns on, beyond ``old``, what the owner's level does not open.

    What was turned on under a higher level stays until it is turned off.
    """
    level = level_of(account, now)
    before = old if old is not None else Settings(name=new.name, kind=new.kind)
    for option in OPTIONS:
        value = getattr(new, option)
        if option not in level.options and value and value != getattr(before, option):
            raise _needed(option, prefix, _lowest(option))
    wanted = new.entries_per_account
    if wanted > level.entries_per_account and (old is None or wanted > old.entries_per_account):
        enough = next((each.number for each in LEVELS if each.entries_per_account >= wanted), LEVELS[-1].number)
        raise _needed("entries_per_account", prefix, enough)


def of_owner(event_id: str, now: int) -> EventVip:
    """What the owner's level opens for the event, and which level the rest needs. Raises event_not_found."""
    header, _ = known_event(event_id)
    owner = Account.get(f"ACCOUNT#{header.owner}", "PROFILE", consistent_read=True)
    level = level_of(owner, now)
    closed = [VipNeeded(option, _lowest(option)) for option in OPTIONS if option not in level.options]
    return EventVip(level.number, level.chinese, level.english, level.entries_per_account, closed)


def _lowest(option: str) -> int:
    return next((each.number for each in LEVELS if option in each.options), LEVELS[-1].number)


def _needed(option: str, prefix: str, level: int) -> Problem:
    zh, en = OPTIONS.get(option, _CAP)
    return Problem("vip_needed", f"{prefix}{option}", setting_zh=zh, setting_en=en, level=level)


def take_event(change: Transaction, account: Account, now: int) -> None:
    """One more event that counts, in the transaction that makes it. Raises event_quota."""
    limit = level_of(account, now).events
    room: Condition = Account.events_owned.does_not_exist() | (Account.events_owned < limit)
    if int(account.events_owned or 0) >= limit:
        raise Problem("event_quota", limit=limit)
    change.update(
        Account(account.pk, account.sk),
        [Account.events_owned.add(1)],
        Account.pk.exists() & room,
        lambda _: Problem("event_quota", limit=limit),
    )


def give_event_back(change: Transaction, account: Account) -> None:
    """One event less that counts."""
    change.update(
        Account(account.pk, account.sk),
        [Account.events_owned.add(-1)],
        Account.events_owned > 0,
        lambda _: Problem("busy"),
    )
