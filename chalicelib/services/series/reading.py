"""A series as its organizers see it, and as anybody may."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chalicelib.services import linked_events, registration
from chalicelib.services.event_frames import Frame
from chalicelib.services.finding import known_event
from chalicelib.services.series.changes import changes_of, formed_of
from chalicelib.services.series.choosing import takes_groups
from chalicelib.services.series.known import Known, StageOf, frames, is_frozen, known, state_of
from chalicelib.services.settings import kind_of
from chalicelib.services.views.series import (
    Formed,
    PublicSeries,
    PublicStage,
    PublicStageEvent,
    SeriesEvent,
    SeriesStage,
    SeriesView,
)
from chalicelib.services.world import World


def read(world: World, event_id: str, account_id: str) -> SeriesView:
    """The series of an event with what its organizers have to know. Raises event_not_found."""
    known_event(event_id)
    found = known(event_id)
    return view(world, account_id, found.name, found.stages, found.token, frames(world, found.events))


def view(
    world: World, account_id: str, name: str, stages: Sequence[StageOf], token: str, alive: Mapping[str, Frame]
) -> SeriesView:
    """A series of these stages; events that are not ``alive`` are left out."""
    events = [each for stage in stages for each in stage.events if each in alive]
    mine = linked_events.names_of(world, account_id, events) if events else {}
    shown = []
    before: list[Frame] = []
    for stage in stages:
        now = [alive[each] for each in stage.events if each in alive]
        shown.append(SeriesStage(stage.name, [_event(world, frame, before, mine) for frame in now]))
        before = now
    return SeriesView(name, shown, token)


def public(world: World, event_id: str) -> PublicSeries:
    """The stages of an event's series with the events that are there. Raises event_not_found."""
    known_event(event_id)
    found: Known = known(event_id)
    alive = frames(world, found.events)
    return PublicSeries(
        found.name,
        [
            PublicStage(
                stage.name,
                [
                    PublicStageEvent(each, alive[each].settings.name, alive[each].settings.starts_at, state)
                    for each in stage.events
                    if each in alive
                    for state in [state_of(alive[each])]
                ],
            )
            for stage in found.stages
        ],
    )


def _event(world: World, frame: Frame, before: list[Frame], mine: Mapping[str, str]) -> SeriesEvent:
    header, settings = frame.header, frame.settings
    kind = kind_of(settings.kind)
    published = [drawn for drawn in frame.rounds if drawn.phase != "draft"]
    return SeriesEvent(
        event_id=header.event_id,
        name=settings.name,
        kind=settings.kind,
        kind_zh=kind.chinese,
        kind_en=kind.english,
        starts_at=settings.starts_at,
        state=state_of(frame),
        round=len(published),
        rounds=settings.rounds,
        entries=frame.entries,
        frozen=is_frozen(frame),
        encrypted=header.sealing is not None,
        registration_open=registration.is_open(header, settings, world.now()),
        groups=takes_groups(settings),
        mine=header.event_id in mine,
        formed=_formed(world, frame, before) if header.event_id in mine else None,
    )


def _formed(world: World, frame: Frame, before: list[Frame]) -> Formed | None:
    found = formed_of(frame)
    if found is None:
        return None
    return Formed(
        state=found.state,
        job_id=found.job,
        count=found.count,
        at=found.at,
        undoable=found.state == "formed" and not frame.header.last_round and frame.header.phase == "open",
        plan=found.plan,
        changes=changes_of(world, found, frame, before) if found.state == "formed" else None,
    )
