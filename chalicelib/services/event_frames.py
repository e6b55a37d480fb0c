"""An event's frame: what every page of the console shows around its content, read in one request and one query."""

from __future__ import annotations

import msgspec

from chalicelib.services import clock
from chalicelib.services.finding import as_it_is, settings_of
from chalicelib.services.large_events import is_large
from chalicelib.services.permissions import Role
from chalicelib.services.problems import Problem
from chalicelib.services.pulse import DISPLAY
from chalicelib.services.settings import Settings
from chalicelib.services.standings import places
from chalicelib.services.views.events import ClockView, DisplayView, EventView, RoundSummary
from chalicelib.services.world import World
from chalicelib.store import bulk
from chalicelib.store.entries import COUNTS, SHARDS, EntryCounts, add_up
from chalicelib.store.events import EventHeader, RoundHeader, rounds
from chalicelib.store.standings import POINTER, Pointer
from chalicelib.store.tables import whole


class Frame(msgspec.Struct, frozen=True):
    """The event's header with its settings, its pointer (None before anything was published), how many entries take
    part and have checked in, and its drawn rounds. ``stored_phase``: what the schedule has written down so far."""

    header: EventHeader
    settings: Settings
    pointer: Pointer | None
    entries: int
    checked_in: int
    rounds: list[RoundHeader]
    stored_phase: str = "open"

    @classmethod
    def read(cls, world: World, event_id: str, *, with_rounds: bool = True) -> Frame:
        """Everything, strongly consistent. Raises event_not_found."""
        keys = [
            (EventHeader.Meta.table_name, event_id, "EVENT"),
            (Pointer.Meta.table_name, event_id, POINTER),
            *((EntryCounts.Meta.table_name, f"{event_id}#{shard}", COUNTS) for shard in range(SHARDS)),
        ]
        raw, pointer, *counts = bulk.get_items(keys, world.sleep, world.random.fraction)
        if raw is None:
            raise Problem("event_not_found")
        header = EventHeader.from_raw_data(raw)
        if whole(header.deleted_at) is not None:
            raise Problem("event_not_found")
        entries, checked_in = add_up(counts)
        settings, stored_phase = settings_of(header), header.phase
        return cls(
            as_it_is(header, settings, world.now()),
            settings,
            None if pointer is None else Pointer.from_raw_data(pointer),
            entries,
            checked_in,
            list(rounds(event_id)) if with_rounds and header.last_round else [],
            stored_phase,
        )

    def with_settings(self, settings: Settings, version: int) -> Frame:
        """The frame as it will be once these settings are saved."""
        header = EventHeader(**{**self.header.attribute_values, "settings": msgspec.to_builtins(settings)})
        header.version = version
        return Frame(header, settings, self.pointer, self.entries, self.checked_in, self.rounds, self.stored_phase)

    def frozen(self, number: int | None) -> Frame:
        """The frame as it will be once the public sees nothing of this round and later ones. Winners that were revealed
        before would be told anew with every later result, so their reveal begins again."""
        kept = {} if self.pointer is None else dict(self.pointer.attribute_values)
        if number is not None and (kept.get("display") or {}).get("step"):
            kept["display"] = {**kept["display"], "step": 0}
        pointer = Pointer(**{"pk": self.header.event_id, "sk": POINTER, **kept, "frozen_from": number})
        header, settings = self.header, self.settings
        return Frame(header, settings, pointer, self.entries, self.checked_in, self.rounds, self.stored_phase)

    def with_phase(self, phase: str) -> Frame:
        """The frame as it will be once the event is in this phase."""
        header = EventHeader(**{**self.header.attribute_values, "phase": phase})
        return Frame(header, self.settings, self.pointer, self.entries, self.checked_in, self.rounds, self.stored_phase)


def view(world: World, frame: Frame, roles: frozenset[Role]) -> EventView:
    """The frame as the API answers it to a caller with these roles."""
    header, pointer = frame.header, frame.pointer
    now = world.now()
    clock_view = clock.view(pointer, frame.settings.stop_drawing_minutes, now)
    shown = (pointer.display if pointer is not None else None) or DISPLAY
    place = places.inside(pointer)
    return EventView(
        event_id=header.event_id,
        version=int(header.version),
        phase=header.phase,
        role=(Role.OWNER if Role.OWNER in roles else Role.ADMINISTRATOR).value,
        settings=frame.settings,
        rounds=[
            RoundSummary(
                int(drawn.number),
                drawn.phase,
                int(drawn.tables),
                int(drawn.version),
                list(drawn.outdated_by or ()),
                drawn.job,
            )
            for drawn in frame.rounds
        ],
        last_round=int(header.last_round),
        entries=frame.entries,
        checked_in=frame.checked_in,
        next_step=next_step(frame, clock_view),
        clock=clock_view,
        display=DisplayView(shown["view"], shown["page"], shown["paused"], shown.get("step", 0), shown.get("picture")),
        standings=None if place is None else place.name,
        frozen_from=places.frozen_from_of(pointer),
        encrypted=header.sealing is not None,
        large=is_large(frame.settings, frame.entries, int(header.last_round)),
    )


def next_step(frame: Frame, clock_view: ClockView) -> str:
    """What the organizer will want to do next: a code that the console turns into its one big button."""
    if frame.header.phase == "ended":
        return "finished"
    if not frame.rounds:
        return "draw" if frame.entries >= 2 else "import_entries"
    last = frame.rounds[-1]
    if last.phase == "draft":
        return "publish"
    if last.phase == "published":
        return "start_clock"
    if last.phase == "playing":
        return "settle" if clock_view.state == "ended" else "play"
    return "draw_next" if last.number < frame.settings.rounds else "finished"
