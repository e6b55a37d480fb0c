"""Events: create, list, configure, end; what their organizers and what anybody may know of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from chalicelib.rules.criteria import CRITERIA
from chalicelib.rules.kinds import KINDS
from chalicelib.services import (
    audit,
    audit_facts,
    idle,
    links,
    phones,
    public_list,
    pulse,
    registration,
    rotation_rules,
    vip,
)
from chalicelib.services.deletion import restorable
from chalicelib.services.event_frames import Frame, view
from chalicelib.services.finding import known_event, settings_of
from chalicelib.services.ladders.following import follow
from chalicelib.services.ladders.known import still_active
from chalicelib.services.once import Once, transaction
from chalicelib.services.permissions import Role
from chalicelib.services.problems import Problem
from chalicelib.services.settings import Settings, defaults, kind_of, validate
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
from chalicelib.store.events import EventHeader, Member, find_event
from chalicelib.store.standings import Pointer
from chalicelib.store.tables import whole
from chalicelib.store.transaction import Transaction

AUDIT_PAGE = 100


class Draft(msgspec.Struct, frozen=True):
    """What a new event is made of; None takes the default of the kind or of the event that is cloned."""

    name: str
    kind: str
    starts_at: int | None = None
    time_zone: str = "Asia/Shanghai"
    rounds: int | None = None
    minutes_per_round: int | None = None
    clone_of: str | None = None
    test: bool = False


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
                settings=list(kind.settings),
            )
            for code, kind in KINDS.items()
        ]
    )


def mine(world: World, account_id: str) -> EventList:
    """Events in which the account is owner or administrator, newest first; own deleted ones while restorable."""
    now = world.now()
    found = Membership.query(f"ACCOUNT#{account_id}", Membership.sk.startswith("EVENT#"), consistent_read=True)
    lines = [
        EventSummary(
            line.event_id,
            line.event_name,
            line.kind,
            line.role,
            whole(line.starts_at),
            int(line.created_at),
            whole(line.deleted_at),
        )
        for line in found
        if line.deleted_at is None or (line.role == Role.OWNER and restorable(int(line.deleted_at), now))
    ]
    return EventList(sorted(lines, key=lambda line: (line.created_at, line.event_id), reverse=True))


def create(
    world: World,
    account_id: str,
    draft: Draft,
    call_once: Once,
    also: Callable[[Transaction, EventHeader], None] | None = None,
) -> EventView:
    """A new event owned by the account, with its links and its pointer; ``also`` adds to the same transaction.

    Raises what ``settings.validate`` raises, event_not_found when ``clone_of`` is no event of this account, vip_needed
    and event_quota when its VIP level does not allow it.
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
    account = Account.get(f"ACCOUNT#{account_id}", "PROFILE", consistent_read=True)
    vip.check_options(account, None, settings, now, "")
    if not settings.test:
        vip.take_event(change, account, now)
    change.put(
        Member(
            event_id,
            f"MEMBER#{account_id}",
            member_id=world.random.token(9),
            role=Role.OWNER.value,
            phone_masked=phones.mask(account.phone),
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
    idle.wait(change, header, settings)
    public_list.follow(change, header, settings, public_list.UPCOMING)
    for link in links.fresh(event_id):
        change.put(link)
    pulse.change(change, event_id, *pulse.told_of(settings))
    audit.record(
        change,
        world,
        event_id=event_id,
        actor=f"account:{account_id}",
        action="event.create",
        subject=f"event:{event_id}",
        details={"kind": settings.kind, "clone_of": draft.clone_of, **audit_facts.of_settings(settings)},
    )
    if also is not None:
        also(change, header)
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
    if draft.test:
        changes["test"] = True
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
    return msgspec.structs.replace(
        old,
        pairing=pairing,
        preset_seed="",
        match_days=[],
        ladders=still_active(old.ladders),
        purge_at=None,
        registration_closed=False,
        registration_deadline=None,
    )


def read(world: World, event_id: str, roles: frozenset[Role]) -> EventView:
    """Everything the console's frame needs. Raises event_not_found."""
    return view(world, Frame.read(world, event_id), roles)


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
    header, now = frame.header, world.now()
    phase = "ended" if ended else "open"
    repeated = header.phase == phase
    reply = view(world, frame.with_phase(phase), roles)
    change = transaction(world)
    call_once.record(change, msgspec.to_builtins(reply), world)
    if not repeated:
        # An idle event is over before the schedule has written it down: what counts is that nothing happened since.
        change.update(
            EventHeader(header.pk, header.sk),
            [EventHeader.phase.set(phase), EventHeader.last_act_at.set(now)],
            (EventHeader.phase == frame.stored_phase)
            & (EventHeader.last_act_at == header.last_act_at)
            # Whether it counts for a ladder is a setting.
            & (EventHeader.version == header.version),
            lambda raw: Problem("event_not_found") if raw is None else Problem("stale_version"),
        )
        header.last_act_at = now
        if ended:
            idle.wait_no_more(change, event_id)
        else:
            idle.wait(change, header, frame.settings)
        public_list.follow(change, header, frame.settings, public_list.state_of(phase, frame.pointer))
        pulse.change(change, event_id, Pointer.ended.set(ended))
        if frame.settings.ladders:
            follow(change, world, event_id, actor, ends=ended)
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
        search_by_phone_only=settings.search_by_phone_only or frame.header.sealing is not None,
        prompt_phone=settings.prompt_phone,
        registration_open=registration.is_open(frame.header, settings, world.now()),
        rules_text=rotation_rules.rules_of(settings),
        sign_in_required=settings.sign_in_required,
        show_entry_count=settings.show_entry_count,
        minutes_per_round=settings.minutes_per_round,
        boards_per_round=settings.boards_per_round,
        deadline=settings.registration_deadline,
        fee=settings.fees.entry + settings.fees.extra,
        criteria=[Labelled(code, CRITERIA[code].chinese, CRITERIA[code].english) for code in settings.criteria],
        prizes=settings.prizes,
    )


def audit_log(world: World, event_id: str, before: str | None) -> AuditLog:
    """A page of the event's log, newest first; ``before`` is the ``next`` of the page above."""
    known_event(event_id)
    return audit_page(event_id, before)


def audit_page(event_id: str | None, before: str | None) -> AuditLog:
    """The same for an event that is there, or (None) for the platform."""
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
