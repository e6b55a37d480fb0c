"""赛事阶段 as the API answers them. No view holds a phone."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from chalicelib.services.views.jobs import JobProblem

State = Literal["waiting", "running", "finished", "ended"]
"""Before the first round; in play; all rounds settled; 比赛结束."""


FormedState = Literal["forming", "formed", "undone"]


class Chosen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of an event of the stage before."""

    event_id: Annotated[str, Meta(min_length=1, max_length=64)]
    number: Annotated[int, Meta(ge=1, le=20_000)]


class StagePlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the next stage is formed: everybody or the first ``count`` of each event (where it has groups, of each
    group); dealt to its events and to ``groups`` in each (1: none) by lot with clubs spread, or like a snake by rank.

    ``chosen`` decides ties at the cut; ``declined`` do not go on, the next move up.
    """

    cut: Literal["all", "best"] = "best"
    count: Annotated[int, Meta(ge=1, le=20_000)] = 1
    method: Literal["lot", "snake"] = "snake"
    groups: Annotated[int, Meta(ge=1, le=26)] = 1
    chosen: Annotated[list[Chosen], Meta(max_length=1000)] = []
    declined: Annotated[list[Chosen], Meta(max_length=1000)] = []


class SeriesEntry(msgspec.Struct, frozen=True):
    """An entry of a stage's event, as lists name it."""

    event_id: str
    number: int
    name: str
    club: str


class SourceChanges(msgspec.Struct, frozen=True):
    """What is different in the stage before since this one was formed. ``unfinished``: it is being played again;
    ``gone`` would not go on now, ``come`` would; of ``moved`` entries the order changed."""

    unfinished: bool
    gone: list[SeriesEntry]
    come: list[SeriesEntry]
    moved: int


class Formed(msgspec.Struct, frozen=True):
    """How an event got its entries: ``count`` of them, at ``at`` (ms). ``undoable``: no round is drawn yet;
    ``plan``: what was decided then.
    ``changes``: what is different in its sources since, None if nothing."""

    state: FormedState
    job_id: str
    count: int
    at: int
    undoable: bool
    plan: StagePlan
    changes: SourceChanges | None


class SeriesEvent(msgspec.Struct, frozen=True):
    """An event of a stage. ``mine``: the caller may administer it; ``groups``: how it can be divided is decided by its
    kind, true for a round robin."""

    event_id: str
    name: str
    kind: str
    kind_zh: str
    kind_en: str
    starts_at: int | None
    state: State
    round: int
    rounds: int
    entries: int
    frozen: bool
    encrypted: bool
    registration_open: bool
    groups: bool
    mine: bool
    formed: Formed | None


class SeriesStage(msgspec.Struct, frozen=True):
    """A stage: its name and the events that are played side by side in it."""

    name: str
    events: list[SeriesEvent]


class SeriesView(msgspec.Struct, frozen=True):
    """The series of an event; without stages it is in none. ``token`` is demanded by the next change."""

    name: str
    stages: list[SeriesStage]
    token: str


class PreviewLine(msgspec.Struct, frozen=True):
    """Somebody who goes on: from which place of what, into which event under which seed and group."""

    event_id: str
    number: int
    name: str
    club: str
    rank: int
    group: str | None
    moved_up: bool
    target: str
    seed: int | None
    target_group: str | None


class PreviewTie(msgspec.Struct, frozen=True):
    """A shared rank at the cut: ``places_left`` of ``entries`` go on, and the organizer chooses which."""

    event_id: str
    group: str | None
    rank: int
    entries: list[SeriesEntry]
    places_left: int


class StagePreview(msgspec.Struct, frozen=True):
    """What forming the next stage would do. ``undecided``: ties that still have to be chosen from; ``fingerprint``
    names exactly this outcome."""

    lines: list[PreviewLine]
    ties: list[PreviewTie]
    undecided: int
    passed_over: list[SeriesEntry]
    fingerprint: str


class SeriesJob(msgspec.Struct, frozen=True):
    """Forming a stage, or its undo. ``phase``: queued | running | done | failed | cancelled; ``over``: no more
    changes."""

    job_id: str
    phase: str
    over: bool
    done: int
    total: int
    problem: JobProblem | None


class PublicStageEvent(msgspec.Struct, frozen=True):
    """An event of a stage as anybody may know it."""

    event_id: str
    name: str
    starts_at: int | None
    state: State


class PublicStage(msgspec.Struct, frozen=True):
    """A stage and its events."""

    name: str
    events: list[PublicStageEvent]


class PublicSeries(msgspec.Struct, frozen=True):
    """The series of an event; no stages: it is in none."""

    name: str
    stages: list[PublicStage]
