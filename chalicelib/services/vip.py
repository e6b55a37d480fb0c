"""VIP levels: what an account may have, as one table. 临时VIP adds a level until a day; the higher one counts.

Quotas are kept with the account (``events_owned``) and moved in the transaction that creates, deletes or restores an
event or makes it a 测试赛, so that parallel requests cannot exceed them. Test events take none.
"""

from __future__ import annotations

from typing import Final

import msgspec
from pynamodb.expressions.condition import Condition

from chalicelib.services.problems import Problem
from chalicelib.services.settings import Settings
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


_ALL_OPTIONS: Final = frozenset({"no_advertisement", "ladders"})
LEVELS: Final[tuple[Level, ...]] = (
    Level(0, "普通", "Standard", 10, 10, frozenset()),
    Level(1, "VIP 1", "VIP 1", 50, 50, _ALL_OPTIONS),
    Level(2, "VIP 2", "VIP 2", 200, 200, _ALL_OPTIONS),
    Level(3, "VIP 3", "VIP 3", 1000, 1000, _ALL_OPTIONS),
)
OPTION_WORDS: Final[dict[str, tuple[str, str]]] = {
    "no_advertisement": ("去除广告", "No advertisement"),
    "ladders": ("计入天梯分", "Counts for ladders"),
    "entries_per_account": ("每个账号报名上限", "Entries per account"),
}


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
    for option in sorted(_ALL_OPTIONS - level.options):
        value = getattr(new, option)
        if value and (old is None or value != getattr(old, option)):
            raise _needed(option, prefix, next(each.number for each in LEVELS if option in each.options))
    wanted = new.entries_per_account
    if wanted > level.entries_per_account and (old is None or wanted > old.entries_per_account):
        enough = next((each.number for each in LEVELS if each.entries_per_account >= wanted), LEVELS[-1].number)
        raise _needed("entries_per_account", prefix, enough)


def _needed(option: str, prefix: str, level: int) -> Problem:
    zh, en = OPTION_WORDS[option]
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
