"""比赛设置: saving an event's settings, guarded by the version they were read at."""

from __future__ import annotations

import msgspec

from chalicelib.services import (
    audit,
    audit_facts,
    edge_copies,
    idle,
    public_list,
    pulse,
    rank_changes,
    registration,
    vip,
)
from chalicelib.services.event_frames import Frame, view
from chalicelib.services.finding import as_it_is
from chalicelib.services.ladders.following import follow
from chalicelib.services.ladders.known import check_choice
from chalicelib.services.once import Once, transaction
from chalicelib.services.permissions import Role
from chalicelib.services.privacy import purge
from chalicelib.services.privacy.sealing import club_ids
from chalicelib.services.problems import Problem
from chalicelib.services.registration import waiting_list
from chalicelib.services.settings import Settings, validate
from chalicelib.services.settings.combinations import inconsistent
from chalicelib.services.views.events import EventView
from chalicelib.services.world import World
from chalicelib.store.accounts import Account, Membership
from chalicelib.store.events import EventHeader, members
from chalicelib.store.transaction import Transaction

RULES = (
    "criteria",
    "points",
    "bye",
    "walkover",
    "absent",
    "knockout",
    "partners",
    "meets_by",
    "rotation_points",
    "failures_at_a",
    "duplicate_scale",
    "preset_seed",
    "mitchell_ranking",
    "median_field",
    "club_ranking",
    "double_submission",
)
"""Settings by which results count: changing them once there are some is asked about and logged with the round."""
_RANKING_SETTINGS = (
    *RULES,
    "rounds",
    "pairing",
    "clubs",
    "ranking_after_submission_only",
)
"""Settings that move ranks when they change."""
_POSTED_SETTINGS = (*_RANKING_SETTINGS, "ladders", "private", "test", "name", "starts_at", "time_zone")
"""Settings that change where an event is posted, what, or under which name."""


def change_settings(
    world: World,
    event_id: str,
    version: int,
    settings: Settings,
    actor: str,
    roles: frozenset[Role],
    call_once: Once,
    *,
    confirmed: bool = False,
) -> EventView:
    """Save all settings, read at ``version``; ``confirmed``: also when results count differently by them.

    Raises stale_version with the settings as they are when somebody else saved in between, settings_inconsistent
    when the kind is changed, vip_needed, event_quota (a test event that becomes a real one), confirmation_needed when
    a rule changes after the first round was published, and what ``settings.validate`` raises.
    """
    frame = Frame.read(world, event_id)
    if frame.header.version != version:
        raise _stale(frame.header)
    old = frame.settings
    if settings.kind != old.kind:
        raise Problem(
            "settings_inconsistent",
            "settings.kind",
            why_zh="赛事建立后不能更换赛制",
            why_en="the kind of an event cannot be changed",
            way_out_zh="请新建一场赛事",
            way_out_en="Create another event",
        )
    new = validate(settings)
    if new.purge_at != old.purge_at:
        _check_purge(new, world.now())
    new = msgspec.structs.replace(new, clubs=club_ids(world, frame.header, new.clubs))
    _check_ladders(frame.header, old, new)
    changed = [name for name in Settings.__struct_fields__ if getattr(new, name) != getattr(old, name)]
    rules = [name for name in changed if name in RULES]
    if rules and not confirmed and any(drawn.phase != "draft" for drawn in frame.rounds):
        raise Problem("confirmation_needed", f"settings.{rules[0]}", round=int(frame.header.last_round))
    saved = frame.with_settings(new, version + 1)
    saved.header.phase = frame.stored_phase
    as_it_is(saved.header, new, world.now())
    saved.header.registration_closed_at = registration.closed_at(frame.header, old, new, world.now())
    reply = view(world, saved, roles)
    change = transaction(world)
    call_once.record(change, msgspec.to_builtins(reply), world)
    change.update(
        frame.header,
        [
            EventHeader.settings.set(msgspec.to_builtins(new)),
            EventHeader.version.set(version + 1),
            *registration.due_actions(saved.header, new),
        ],
        EventHeader.version == version,
        lambda raw: _stale(None if raw is None else EventHeader.from_raw_data(raw)),
    )
    _hold_to_vip(change, frame.header, old, new, world.now())
    if new.purge_at != old.purge_at:
        purge.wait(change, event_id, new)
    if saved.header.phase == "open":
        idle.wait(change, saved.header, new)
    public_list.follow(change, saved.header, new, public_list.state_of(saved.header.phase, frame.pointer))
    pulse.change(change, event_id, *pulse.told_of(new))
    if any(name in changed for name in _RANKING_SETTINGS):
        rank_changes.mark(change, event_id, "settings", roster="clubs" in changed)
    if (old.ladders or new.ladders) and set(changed).intersection(_POSTED_SETTINGS):
        follow(change, world, event_id, actor)
    if "name" in changed or "starts_at" in changed:
        _rename(change, event_id, new)
    audit.record(
        change,
        world,
        event_id=event_id,
        actor=actor,
        action="event.configure",
        subject=f"event:{event_id}",
        details={
            "changed": changed,
            "version": version + 1,
            "round": int(frame.header.last_round),
            **(audit_facts.of_settings(new) if _counts_otherwise(changed) else {}),
        },
    )
    change.commit()
    pulse.publish(world, event_id)
    if new.private and not old.private:
        edge_copies.forget(world, event_id)
    if _more_places(old.capacity, new.capacity):
        waiting_list.admit(world, event_id)
    return reply


def _more_places(old: int | None, new: int | None) -> bool:
    """Whether there are more places than before; None: there is no end of them."""
    return old is not None and (new is None or new > old)


def _counts_otherwise(changed: list[str]) -> bool:
    """Whether the log must hold the settings anew: some of them are in the event's document."""
    return bool({"name", "time_zone", "third_place_match", *_RANKING_SETTINGS}.intersection(changed))


def _hold_to_vip(change: Transaction, header: EventHeader, old: Settings, new: Settings, now: int) -> None:
    """Refuse what the owner's VIP level does not open; a test event that becomes a real one takes from the quota."""
    vip_settings = (*vip.OPTIONS, "entries_per_account")
    if all(getattr(old, name) == getattr(new, name) for name in vip_settings):
        return
    owner = Account.get(f"ACCOUNT#{header.owner}", "PROFILE", consistent_read=True)
    vip.check_options(owner, old, new, now)
    if old.test and not new.test:
        vip.take_event(change, owner, now)
    elif new.test and not old.test:
        vip.give_event_back(change, owner)


def _check_ladders(header: EventHeader, old: Settings, new: Settings) -> None:
    check_choice(old.ladders, new.ladders, "settings.ladders")
    if new.ladders and header.sealing is not None:
        raise inconsistent(
            "settings.ladders",
            (
                "加密的赛事不计天梯分：选手在各场比赛中靠手机号识别，而加密后无人能读取",
                "an encrypted event counts for no ladder: people are known from event to event by their phones, which "
                "nobody can read any more",
            ),
            ("请不要选择天梯", "Choose no ladder"),
        )


def _check_purge(settings: Settings, now: int) -> None:
    """A date that has passed would take everybody's names within the minute, and nothing brings them back."""
    if settings.purge_at is not None and settings.purge_at <= now:
        raise inconsistent(
            "settings.purge_at",
            (
                "个人信息清除日期已经过去，保存后会立即删除所有人的姓名和手机号",
                "this date has passed, and all personal data would go at once",
            ),
            ("请选择以后的日期，或留空", "Choose a date to come, or none"),
        )


def _stale(header: EventHeader | None) -> Problem:
    if header is None:
        return Problem("event_not_found")
    return Problem("stale_version", current={"version": int(header.version), "settings": header.settings})


def _rename(change: Transaction, event_id: str, settings: Settings) -> None:
    """Keep "my events" of owner and administrators true."""
    starts_at = settings.starts_at
    for member in members(event_id):
        account_id = member.sk.removeprefix("MEMBER#")
        change.update(
            Membership(f"ACCOUNT#{account_id}", f"EVENT#{event_id}"),
            [
                Membership.event_name.set(settings.name),
                Membership.starts_at.remove() if starts_at is None else Membership.starts_at.set(starts_at),
            ],
            Membership.pk.exists(),
        )
