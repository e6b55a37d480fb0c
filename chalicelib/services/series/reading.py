"""A series as its organizers see it, and as anybody may."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chalicelib.services import linked_events, registration
from chalicelib.services.event_frames import Frame
from chalicelib.services.finding import as_it_is, known_event, settings_of
from chalicelib.services.series.changes import changes_of, formed_of
from chalicelib.services.series.choosing import takes_groups
from chalicelib.services.series.known import StageOf, frames, is_frozen, known, state_of
from chalicelib.services.settings import kind_of
from chalicelib.services.views.series import (
    Formed,
    PublicSeries,
    PublicStage,
    PublicStageEvent,
    SeriesEvent,
    SeriesStage,
    SeriesView,
    State,
)
from chalicelib.services.world import World
from chalicelib.store import bulk
from chalicelib.store.events import EventHeader
from chalicelib.store.standings import POINTER, Pointer


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
    """The stages of an event's series with the events that are there, in two requests. Raises event_not_found.

    Private events are named only to who has come to a private one: a public page must not lead anybody to them.
    """
    _, asked = known_event(event_id)
    found = known(event_id)
    keys = [(EventHeader.Meta.table_name, each, "EVENT") for each in found.events]
    keys += [(Pointer.Meta.table_name, each, POINTER) for each in found.events]
    items = bulk.get_items(keys, world.sleep, world.random.fraction)
    events: dict[str, PublicStageEvent] = {}
    hidden: set[str] = set()
    half = len(found.events)
    for each, raw, pointer in zip(found.events, items[:half], items[half:], strict=True):
        if raw is None or "N" in raw.get("deleted_at", {}):
            continue
        header = EventHeader.from_raw_data(raw)
        settings = settings_of(header)
        if settings.private and not asked.private:
            hidden.add(each)
            continue
        phase = as_it_is(header, settings, world.now()).phase
        state = _public_state(phase, None if pointer is None else Pointer.from_raw_data(pointer), settings.rounds)
        events[each] = PublicStageEvent(each, settings.name, settings.starts_at, state)
    return PublicSeries(
        found.name,
        [
            PublicStage(stage.name, [events[each] for each in stage.events if each in events])
            for stage in found.stages
            if any(each in events for each in stage.events) or not hidden.intersection(stage.events)
        ],
    )


def _public_state(phase: str, pointer: Pointer | None, rounds: int) -> State:
    """What the pulse of the event tells as well: nothing of a draft."""
    if phase == "ended":
        return "ended"
    if pointer is None or not pointer.round:
        return "waiting"
    return "finished" if pointer.phase == "settled" and int(pointer.round) >= rounds else "running"


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
