"""Events: create, list, configure, end; what their organizers and what anybody may know of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from chalicelib.rules.criteria import CRITERIA
from chalicelib.rules.kinds import KINDS
from chalicelib.services import audit, links, phones, pulse, rank_changes, registration
from chalicelib.services.event_frames import Frame, view
from chalicelib.services.finding import known_event, settings_of
from chalicelib.services.once import Once, transaction
from chalicelib.services.permissions import Role
from chalicelib.services.problems import Problem
from chalicelib.services.settings import Settings, available, defaults, kind_of, validate
from chalicelib.services.views.events import (
    AuditLine,
    AuditLog,
    EventList,
    EventSummary,
    EventView,
    Kinds,
    KindView,
    Labelled,
    PublicEvent,
)
from chalicelib.services.world import World
from chalicelib.store.accounts import Account, Membership
from chalicelib.store.audit import AuditEntry, partition
from chalicelib.store.events import EventHeader, Member, find_event, members
from chalicelib.store.standings import Pointer
from chalicelib.store.tables import whole
from chalicelib.store.transaction import Transaction

AUDIT_PAGE = 100

_RANKING_SETTINGS = (
    "rounds",
    "criteria",
    "points",
    "bye",
    "walkover",
    "pairing",
    "clubs",
    "club_ranking",
    "double_submission",
    "ranking_after_submission_only",
)
"""Settings that move ranks when they change."""


@dataclass(frozen=True)
class Draft:
    """What a new event is made of; None takes the default of the kind or of the event that is cloned."""

    name: str
    kind: str
    starts_at: int | None = None
    time_zone: str = "Asia/Shanghai"
    rounds: int | None = None
    minutes_per_round: int | None = None
    clone_of: str | None = None


def kinds() -> Kinds:
    """All kinds of event in the manual's order, with the criteria they offer."""
    return Kinds(
        [
            KindView(
                code=code,
                zh=kind.chinese,
                en=kind.english,
                summary_zh="、".join(CRITERIA[each].chinese for each in kind.default_criteria),
                summary_en=", ".join(CRITERIA[each].english for each in kind.default_criteria),
                players_per_entry=kind.players[0],
                most_players=kind.players[1],
                criteria=[Labelled(each, CRITERIA[each].chinese, CRITERIA[each].english) for each in kind.criteria],
                default_criteria=list(kind.default_criteria),
                available=available(kind),
            )
            for code, kind in KINDS.items()
        ]
    )


def mine(world: World, account_id: str) -> EventList:
    """Events in which the account is owner or administrator, newest first."""
    found = Membership.query(f"ACCOUNT#{account_id}", Membership.sk.startswith("EVENT#"), consistent_read=True)
    lines = [
        EventSummary(
            line.event_id,
            line.event_name,
            line.kind,
            line.role,
            whole(line.starts_at),
            int(line.created_at),
        )
        for line in found
    ]
    return EventList(sorted(lines, key=lambda line: (line.created_at, line.event_id), reverse=True))


def create(world: World, account_id: str, draft: Draft, call_once: Once) -> EventView:
    """A new event owned by the account, with its links and its pointer.

    Raises what ``settings.validate`` raises, and event_not_found when ``clone_of`` is no event of this account.
    """
    settings = _new_settings(world, account_id, draft)
    now = world.now()
    event_id = world.random.token(12)
    header = EventHeader(
        event_id,
        "EVENT",
        event_id=event_id,
        owner=account_id,
        settings=msgspec.to_builtins(settings),
        created_at=now,
        last_act_at=now,
    )
    reply = view(world, Frame(header, settings, None, 0, 0, []), frozenset({Role.OWNER}))
    change = transaction(world)
    call_once.record(change, msgspec.to_builtins(reply), world)
    change.put(header, EventHeader.pk.does_not_exist())
    masked = _masked_phone(account_id)
    change.put(
        Member(
            event_id,
            f"MEMBER#{account_id}",
            member_id=world.random.token(9),
            role=Role.OWNER.value,
            phone_masked=masked,
            added_at=now,
        )
    )
    change.put(
        Membership(
            f"ACCOUNT#{account_id}",
            f"EVENT#{event_id}",
            event_id=event_id,
            role=Role.OWNER.value,
            event_name=settings.name,
            kind=settings.kind,
            starts_at=settings.starts_at,
            created_at=now,
        )
    )
    for link in links.fresh(event_id):
        change.put(link)
    pulse.change(change, event_id, Pointer.name.set(settings.name), Pointer.rounds.set(settings.rounds))
    audit.record(
        change,
        world,
        event_id=event_id,
        actor=f"account:{account_id}",
        action="event.create",
        subject=f"event:{event_id}",
        details={"kind": settings.kind, "clone_of": draft.clone_of},
    )
    change.commit()
    pulse.publish(world, event_id)
    return reply


def _new_settings(world: World, account_id: str, draft: Draft) -> Settings:
    kind = kind_of(draft.kind)
    seed = world.random.digits(8)
    base = defaults(draft.name, kind, seed)
    if draft.clone_of is not None:
        base = _cloned(account_id, draft, seed)
    changes: dict[str, Any] = {"name": draft.name, "starts_at": draft.starts_at, "time_zone": draft.time_zone}
    if draft.rounds is not None:
        changes["rounds"] = draft.rounds
    if draft.minutes_per_round is not None:
        changes["minutes_per_round"] = draft.minutes_per_round
        changes["stop_drawing_minutes"] = min(base.stop_drawing_minutes, draft.minutes_per_round - 1)
    return validate(msgspec.structs.replace(base, **changes), "")


def _cloned(account_id: str, draft: Draft, seed: str) -> Settings:
    """The settings of an event of this account, without what belongs to its own day."""
    try:
        Membership.get(f"ACCOUNT#{account_id}", f"EVENT#{draft.clone_of}", consistent_read=True)
        header = find_event(draft.clone_of or "")
    except Membership.DoesNotExist:
        header = None
    if header is None:
        raise Problem("event_not_found", "clone_of")
    old = settings_of(header)
    if old.kind != draft.kind:
        raise Problem("bad_value", "kind", why=f"clone_of: {old.kind}")
    pairing = msgspec.structs.replace(old.pairing, seed=seed)
    return msgspec.structs.replace(old, pairing=pairing, registration_closed=False, registration_deadline=None)


def _masked_phone(account_id: str) -> str:
    return phones.mask(Account.get(f"ACCOUNT#{account_id}", "PROFILE", consistent_read=True).phone)


def read(world: World, event_id: str, roles: frozenset[Role]) -> EventView:
    """Everything the console's frame needs. Raises event_not_found."""
    return view(world, Frame.read(world, event_id), roles)


def change_settings(
    world: World,
    event_id: str,
    version: int,
    settings: Settings,
    actor: str,
    roles: frozenset[Role],
    call_once: Once,
) -> EventView:
    """Save all settings, read at ``version``.

    Raises stale_version with the settings as they are when somebody else saved in between, settings_inconsistent
    when the kind is changed, and what ``settings.validate`` raises.
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
    changed = [name for name in Settings.__struct_fields__ if getattr(new, name) != getattr(old, name)]
    saved = frame.with_settings(new, version + 1)
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
    pulse.change(change, event_id, Pointer.name.set(new.name), Pointer.rounds.set(new.rounds))
    if any(name in changed for name in _RANKING_SETTINGS):
        rank_changes.mark(change, event_id, "settings", roster="clubs" in changed)
    if "name" in changed or "starts_at" in changed:
        _rename(change, event_id, new)
    audit.record(
        change,
        world,
        event_id=event_id,
        actor=actor,
        action="event.configure",
        subject=f"event:{event_id}",
        details={"changed": changed, "version": version + 1, "round": int(frame.header.last_round)},
    )
    change.commit()
    pulse.publish(world, event_id)
    return reply


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


def set_ended(
    world: World,
    event_id: str,
    ended: bool,
    reason: str,
    actor: str,
    roles: frozenset[Role],
    call_once: Once,
) -> EventView:
    """比赛结束, or its undo. Doing so again changes nothing. Raises event_not_found."""
    frame = Frame.read(world, event_id)
    phase, other = ("ended", "open") if ended else ("open", "ended")
    repeated = frame.header.phase == phase
    reply = view(world, frame.with_phase(phase), roles)
    change = transaction(world)
    call_once.record(change, msgspec.to_builtins(reply), world)
    if not repeated:
        change.update(
            frame.header,
            [EventHeader.phase.set(phase), EventHeader.last_act_at.set(world.now())],
            EventHeader.phase == other,
            lambda raw: Problem("event_not_found") if raw is None else Problem("stale_version"),
        )
        pulse.change(change, event_id, Pointer.ended.set(ended))
        audit.record(
            change,
            world,
            event_id=event_id,
            actor=actor,
            action="event.end" if ended else "event.reopen",
            subject=f"event:{event_id}",
            reason=reason or None,
        )
    change.commit()
    pulse.publish(world, event_id)
    return reply


def read_public(world: World, event_id: str) -> PublicEvent:
    """What anybody may know of an event: no person, no draft. Raises event_not_found."""
    frame = Frame.read(world, event_id, with_rounds=False)
    settings = frame.settings
    kind = kind_of(settings.kind)
    return PublicEvent(
        event_id=event_id,
        name=settings.name,
        kind=settings.kind,
        kind_zh=kind.chinese,
        kind_en=kind.english,
        starts_at=settings.starts_at,
        time_zone=settings.time_zone,
        phase=frame.header.phase,
        round=0 if frame.pointer is None else int(frame.pointer.round),
        rounds=settings.rounds,
        entries=frame.entries,
        search_by_phone_only=settings.search_by_phone_only,
        prompt_phone=settings.prompt_phone,
        registration_open=registration.is_open(frame.header, settings, world.now()),
        rules_text=settings.rules_text,
    )


def audit_log(world: World, event_id: str, before: str | None) -> AuditLog:
    """A page of the event's log, newest first; ``before`` is the ``next`` of the page above."""
    known_event(event_id)
    found = list(
        AuditEntry.query(
            partition(event_id),
            AuditEntry.sk < before if before else None,
            scan_index_forward=False,
            limit=AUDIT_PAGE,
            consistent_read=True,
        )
    )
    lines = [AuditLine(int(each.at), each.actor, each.action, each.subject, each.reason) for each in found]
    return AuditLog(lines, found[-1].sk if len(found) == AUDIT_PAGE else None)
