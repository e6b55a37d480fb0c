"""Events, their members and links as the API answers them. Times are milliseconds since 1970 UTC."""

from __future__ import annotations

import msgspec

from chalicelib.services.settings import Prize, Settings


class Labelled(msgspec.Struct, frozen=True):
    """A code with its Chinese and English words."""

    code: str
    zh: str
    en: str


class KindView(msgspec.Struct, frozen=True):
    """One kind of event: words, criteria offered (in the manual's order), defaults.

    ``settings``: codes of the settings that have an effect on it (``rules/settings.py``)."""

    code: str
    zh: str
    en: str
    summary_zh: str
    summary_en: str
    players_per_entry: int
    most_players: int
    criteria: list[Labelled]
    default_criteria: list[str]
    settings: list[str]


class Kinds(msgspec.Struct, frozen=True):
    """All kinds of event."""

    kinds: list[KindView]


class EventSummary(msgspec.Struct, frozen=True):
    """A line in "my events". ``deleted_at``: deleted, and only there to be restored."""

    event_id: str
    name: str
    kind: str
    role: str
    starts_at: int | None
    created_at: int
    deleted_at: int | None = None


class EventList(msgspec.Struct, frozen=True):
    """My events, newest first."""

    events: list[EventSummary]


class RoundSummary(msgspec.Struct, frozen=True):
    """A drawn round in one line. ``phase``: draft | published | playing | settled. ``outdated_by``: tables of the round
    before a knock-out's that were corrected so that others go on; this one has to be drawn again. ``job``: what
    publishes or settles it just now, if a job does."""

    number: int
    phase: str
    tables: int
    version: int
    outdated_by: list[int]
    job: str | None = None


class ClockView(msgspec.Struct, frozen=True):
    """The round's clock. ``state``: idle | countdown | running | paused | ended; times in milliseconds, kept by
    the server; ``paused_left`` is what remains while paused, in milliseconds."""

    state: str
    starts_at: int | None
    ends_at: int | None
    paused_left: int | None
    stop_drawing_minutes: int
    version: int


class DisplayView(msgspec.Struct, frozen=True):
    """What the projection shows. ``view``: clock | pairings | names | standings | clubs | winners | rules | qr |
    picture | chart | bracket | calendar | blank. ``step``: how many winners are revealed; ``picture``: the address of
    one."""

    view: str
    page: int | None
    paused: bool
    step: int = 0
    picture: str | None = None


class Pictures(msgspec.Struct, frozen=True):
    """Addresses of the event's pictures, newest first."""

    pictures: list[str]


class EventView(msgspec.Struct, frozen=True):
    """Everything the console's frame needs. ``next_step``: import_entries | draw | publish | start_clock | play |
    settle | draw_next | finished; ``phase``: open | ended; ``frozen_from``: the first round whose results the public
    does not see; ``large``: its files are made by jobs."""

    event_id: str
    version: int
    phase: str
    role: str
    settings: Settings
    rounds: list[RoundSummary]
    last_round: int
    entries: int
    checked_in: int
    next_step: str
    clock: ClockView
    display: DisplayView
    standings: str | None
    frozen_from: int | None
    encrypted: bool = False
    large: bool = False


class PublicEvent(msgspec.Struct, frozen=True):
    """The event as anybody may see it (event page, phone page before identifying). ``fee``: of a team, in fen, entry
    and extra fee together; ``deadline``: of registration; ``show_entry_count``: 报名提示人数."""

    event_id: str
    name: str
    kind: str
    kind_zh: str
    kind_en: str
    starts_at: int | None
    time_zone: str
    phase: str
    round: int
    rounds: int
    entries: int
    search_by_phone_only: bool
    prompt_phone: bool
    registration_open: bool
    rules_text: str
    sign_in_required: bool
    show_entry_count: bool
    minutes_per_round: int
    boards_per_round: int
    deadline: int | None
    fee: int
    criteria: list[Labelled]
    prizes: list[Prize]


class MemberView(msgspec.Struct, frozen=True):
    """Somebody who runs the event. ``role``: owner | administrator."""

    member_id: str
    role: str
    phone_masked: str


class Members(msgspec.Struct, frozen=True):
    """Who runs the event, the owner first."""

    members: list[MemberView]


class LinkView(msgspec.Struct, frozen=True):
    """A link that gives a role: its path with the token in the fragment, generation and last use."""

    role: str
    path: str
    generation: int
    last_used_at: int | None


class Links(msgspec.Struct, frozen=True):
    """The links of an event: play (公开，无令牌), referee, desk, display, registration."""

    links: list[LinkView]


class AuditLine(msgspec.Struct, frozen=True):
    """One act in the event's log."""

    at: int
    actor: str
    action: str
    subject: str | None
    reason: str | None


class AuditLog(msgspec.Struct, frozen=True):
    """The newest acts first; ``next`` continues."""

    lines: list[AuditLine]
    next: str | None


class VipNeeded(msgspec.Struct, frozen=True):
    """A setting that the owner's VIP level does not open, and the lowest level that does."""

    setting: str
    level: int


class EventVip(msgspec.Struct, frozen=True):
    """The VIP level of the event's owner that counts now, its cap on 每个账号报名上限, and what it does not open."""

    level: int
    zh: str
    en: str
    most_entries_per_account: int
    closed: list[VipNeeded]
