"""The platform's administrators: accounts, VIP levels, the platform's log."""

from __future__ import annotations

from typing import Annotated

import msgspec
from chalice.app import Blueprint
from msgspec import Meta

from chalicelib.api.accounts import Phone
from chalicelib.api.framework import Call, route
from chalicelib.services import administration
from chalicelib.services.settings import Milliseconds
from chalicelib.services.views.accounts import ManagedAccount, VipLevels
from chalicelib.services.views.events import AuditLog

blueprint = Blueprint(__name__)

Level = Annotated[int, Meta(ge=0, le=3)]


class AccountSearch(msgspec.Struct, forbid_unknown_fields=True):
    """The whole phone of the account that is meant."""

    phone: Phone


class ChangedAccount(msgspec.Struct, forbid_unknown_fields=True):
    """What the account may from now on. ``trial_until``: the end of 临时VIP, milliseconds."""

    vip_level: Level
    trial_level: Level | None
    trial_until: Milliseconds | None
    platform_administrator: bool


@route(blueprint, "GET", "/vip-levels", action="service.read", summary="The table of VIP levels", reply=VipLevels)
def list_vip_levels(call: Call) -> VipLevels:
    """What each level may."""
    return administration.levels()


@route(
    blueprint,
    "POST",
    "/platform/account-searches",
    action="platform.manage",
    summary="Find an account by its phone",
    body=AccountSearch,
    reply=ManagedAccount,
    keyed=False,
)
def find_account(call: Call) -> ManagedAccount:
    """A POST because the phone is personal."""
    return administration.find(call.world, call.body.phone)


@route(
    blueprint,
    "PUT",
    "/platform/accounts/{account_id}",
    action="platform.manage",
    summary="Set an account's VIP level and rights",
    body=ChangedAccount,
    reply=ManagedAccount,
)
def change_account(call: Call, account_id: str) -> ManagedAccount:
    """VIP level, 临时VIP, administrator of the platform."""
    body: ChangedAccount = call.body
    standing = administration.Standing(body.vip_level, body.trial_level, body.trial_until, body.platform_administrator)
    return administration.change(call.world, account_id, standing, call.caller.account_id or "", call.once)


@route(
    blueprint,
    "GET",
    "/platform/audit",
    action="platform.manage",
    summary="The platform's log",
    reply=AuditLog,
    query=("before",),
)
def read_platform_audit(call: Call) -> AuditLog:
    """Newest first, 100 a page."""
    return administration.log(call.query.get("before"))
