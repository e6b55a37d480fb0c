"""The platform's administrators: find an account by its phone, set its VIP level and 临时VIP, make administrators.

Every act is in the platform's own log. Accounts are found by exact phone only: there is no list of people to browse.
"""

from __future__ import annotations

import msgspec
from pynamodb.expressions.update import Action

from chalicelib.services import audit, phones, vip
from chalicelib.services.accounts import owner_of
from chalicelib.services.events import audit_page
from chalicelib.services.once import Once, transaction
from chalicelib.services.problems import Problem
from chalicelib.services.views.accounts import ManagedAccount, VipLevel, VipLevels
from chalicelib.services.views.events import AuditLog
from chalicelib.services.world import World
from chalicelib.store.accounts import Account
from chalicelib.store.tables import whole


class Standing(msgspec.Struct, frozen=True):
    """What an administrator sets: the account's own level, 临时VIP with its end (ms), and whether it administers."""

    vip_level: int
    trial_level: int | None
    trial_until: int | None
    platform_administrator: bool


def levels() -> VipLevels:
    """The table of VIP levels."""
    return VipLevels(
        [
            VipLevel(
                each.number,
                each.chinese,
                each.english,
                each.events,
                each.entries_per_account,
                sorted(each.options),
            )
            for each in vip.LEVELS
        ]
    )


def find(world: World, phone: str) -> ManagedAccount:
    """The account of a phone. Raises bad_phone, account_not_found."""
    account = owner_of(world, phones.normalise(phone))
    if account is None:
        raise Problem("account_not_found", "phone")
    return _view(account, world.now())


def change(world: World, account_id: str, standing: Standing, actor_id: str, call_once: Once) -> ManagedAccount:
    """Set what an account may. Raises account_not_found, settings_inconsistent (临时VIP without an end in the future;
    an administrator who would remove himself)."""
    account = _known(account_id)
    now = world.now()
    _check(account, standing, actor_id, now)
    before = account.platform_administrator
    seen = (account.vip_level, account.platform_administrator)
    account.vip_level = standing.vip_level
    account.trial_level = standing.trial_level
    account.trial_until = standing.trial_until
    account.platform_administrator = standing.platform_administrator
    reply = _view(account, now)
    step = transaction(world)
    call_once.record(step, msgspec.to_builtins(reply), world)
    actions: list[Action] = [
        Account.vip_level.set(standing.vip_level),
        Account.platform_administrator.set(standing.platform_administrator),
    ]
    if standing.trial_level is None or standing.trial_until is None:
        actions += [Account.trial_level.remove(), Account.trial_until.remove()]
    else:
        actions += [Account.trial_level.set(standing.trial_level), Account.trial_until.set(standing.trial_until)]
    step.update(
        Account(account.pk, account.sk),
        actions,
        (Account.platform_administrator == seen[1])
        & (Account.vip_level.does_not_exist() | (Account.vip_level == seen[0])),
        lambda raw: Problem("account_not_found") if raw is None else Problem("stale_version"),
    )
    audit.record(
        step,
        world,
        event_id=None,
        actor=f"account:{actor_id}",
        action="account.manage",
        subject=f"account:{account_id}",
        details={
            "vip_level": standing.vip_level,
            "trial_level": standing.trial_level,
            "trial_until": standing.trial_until,
            "platform_administrator": [bool(before), standing.platform_administrator],
        },
    )
    step.commit()
    return reply


def _check(account: Account, standing: Standing, actor_id: str, now: int) -> None:
    if (standing.trial_level is None) != (standing.trial_until is None):
        raise Problem(
            "bad_value",
            "trial_until",
            why_zh="临时 VIP 的等级和截止日期要一起填写",
            why_en="the trial's level and its end belong together",
        )
    if standing.trial_until is not None and standing.trial_until <= now:
        raise Problem("bad_value", "trial_until", why_zh="须是以后的时间", why_en="must be in the future")
    if account.account_id == actor_id and not standing.platform_administrator:
        raise Problem("administrator_stays", "platform_administrator")


def log(before: str | None) -> AuditLog:
    """A page of the platform's log, newest first; ``before`` is the ``next`` of the page above."""
    return audit_page(None, before)


def _known(account_id: str) -> Account:
    try:
        return Account.get(f"ACCOUNT#{account_id}", "PROFILE", consistent_read=True)
    except Account.DoesNotExist:
        raise Problem("account_not_found") from None


def _view(account: Account, now: int) -> ManagedAccount:
    level = vip.level_of(account, now)
    return ManagedAccount(
        account.account_id,
        phones.mask(account.phone),
        account.name,
        int(account.created_at),
        bool(account.platform_administrator),
        int(account.vip_level or 0),
        whole(account.trial_level),
        whole(account.trial_until),
        level.number,
        int(account.events_owned or 0),
        level.events,
    )
