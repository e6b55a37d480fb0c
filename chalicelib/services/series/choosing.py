"""Who goes on from one stage to the next, and where to: read, checked and computed; nothing is written here.

The same reading serves the preview and the job that forms the stage, and the fingerprint of what comes out is what the
organizer has agreed to: whatever changes it in between is a refusal, not a different stage.
"""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from chalicelib.rules.kinds import Meeting, meeting_of
from chalicelib.rules.model import Outcome
from chalicelib.rules.pairing.contenders import seeded_order
from chalicelib.rules.series import Going, Key, Selection, Standing, distribute, select
from chalicelib.rules.standings import standings
from chalicelib.services import registration
from chalicelib.services.documents import entry_of, event_of, model_of
from chalicelib.services.event_frames import Frame
from chalicelib.services.problems import Problem
from chalicelib.services.series.known import is_finished, is_frozen
from chalicelib.services.settings import Settings, kind_of
from chalicelib.services.stored import roster
from chalicelib.services.views.series import PreviewLine, PreviewTie, SeriesEntry, StagePlan, StagePreview
from chalicelib.services.world import World
from chalicelib.store.entries import StoredEntry, all_entries
from chalicelib.store.events import EventHeader
from chalicelib.store.tables import whole

MOST_ENTRIES = 20_000
"""As of ``services.entries``."""
MOST_IMPORTS = 90
"""As of ``services.imports``: forming is one of an event's imports."""


class Line(msgspec.Struct, frozen=True, array_like=True):
    """Where an entry of a target comes from: event and entry, its rank there, seed and group here."""

    source: int
    number: int
    rank: int
    seed: int | None
    group: str | None


class NextStage(msgspec.Struct, frozen=True):
    """What forming does: ``lines`` of each target in the order of its new numbers, ``entries`` as they are stored in
    the sources; ``marks``: the sources as they were read."""

    sources: list[Frame]
    targets: list[Frame]
    selection: Selection
    lines: list[list[Line]]
    entries: dict[Key, StoredEntry]
    marks: dict[str, dict[str, int]]
    fingerprint: str


def outcome(sources: list[Frame], targets: list[Frame], plan: StagePlan, world: World) -> NextStage:
    """The next stage by ``plan``. Raises why not: series_encrypted, series_purged, series_frozen, series_unfinished,
    series_registration_open, series_players, club_missing, series_twice, series_nobody, groups_too_many,
    setting_not_offered. That the targets are free is asked by :func:`demand_free`.
    """
    marks = {source.header.event_id: marks_of(source.header) for source in sources}
    seed = targets[0].settings.pairing.seed
    selection, entries = selected(world, sources, plan, seed)
    if not selection.going and not selection.undecided:
        raise Problem("series_nobody")
    lines = _dealt(sources, targets, plan, selection, entries, seed)
    phones: dict[str, Key] = {}
    for target, dealt in zip(targets, lines, strict=True):
        _demand_fit(target, sources, dealt, entries, plan.groups, phones)
    return NextStage(
        sources, targets, selection, lines, entries, marks, _fingerprint(targets, lines, entries, selection)
    )


def selected(
    world: World, sources: list[Frame], plan: StagePlan, seed: str
) -> tuple[Selection, dict[Key, StoredEntry]]:
    """Who goes on from the sources, and all their entries. Raises what :func:`outcome` says of sources."""
    rows: list[Standing] = []
    entries: dict[Key, StoredEntry] = {}
    # A batch that is still to come must not count as one in which people only register.
    played = any(source.rounds for source in sources)
    for place, source in enumerate(sources):
        _demand_readable(source, played)
        stored = all_entries(source.header.event_id, source.header.imports or ())
        entries |= {(place, entry.number): entry for entry in stored if entry.state not in roster.OUTSIDE}
        rows += _rows(world, place, source)
    at = {source.header.event_id: place for place, source in enumerate(sources)}
    chosen = [(at[one.event_id], one.number) for one in plan.chosen if one.event_id in at]
    declined = [(at[one.event_id], one.number) for one in plan.declined if one.event_id in at]
    return select(rows, plan.cut, plan.count, seed, chosen, declined), entries


def demand_free(targets: list[Frame]) -> None:
    """Raise series_drawn, event_ended, series_encrypted, series_purged or series_not_empty unless every target can be
    filled."""
    for target in targets:
        header, name = target.header, target.settings.name
        if header.phase == "ended":
            raise Problem("series_ended", name=name)
        if header.last_round:
            raise Problem("series_drawn", name=name)
        _demand_open_names(target)
        if all_entries(header.event_id, header.imports or ()):
            raise Problem("series_not_empty", name=name)
        if len(header.imports or ()) >= MOST_IMPORTS:
            raise Problem("too_many_imports", limit=MOST_IMPORTS)


def preview(found: NextStage) -> StagePreview:
    """The outcome as organizers see it before they agree."""
    ids = [source.header.event_id for source in found.sources]

    def named(key: Key) -> SeriesEntry:
        entry = found.entries[key]
        return SeriesEntry(ids[key[0]], entry.number, roster.seat(entry).name, entry.club)

    going = {one.key: one for one in found.selection.going}
    shown: list[tuple[int, PreviewLine]] = []
    order = {one.key: place for place, one in enumerate(found.selection.going)}
    for target, lines in zip(found.targets, found.lines, strict=True):
        for line in lines:
            key = (line.source, line.number)
            who = named(key)
            shown.append(
                (
                    order[key],
                    PreviewLine(
                        who.event_id,
                        who.number,
                        who.name,
                        who.club,
                        line.rank,
                        going[key].group,
                        going[key].moved_up,
                        target.header.event_id,
                        line.seed,
                        line.group,
                    ),
                )
            )
    return StagePreview(
        [line for _, line in sorted(shown, key=lambda each: each[0])],
        [
            PreviewTie(
                ids[tie.source],
                tie.group,
                tie.rank,
                [named((tie.source, entry)) for entry in tie.entries],
                tie.places_left,
            )
            for tie in found.selection.ties
        ],
        len(found.selection.undecided),
        [named(row.key) for row in found.selection.passed_over],
        found.fingerprint,
    )


def marks_of(header: EventHeader) -> dict[str, int]:
    """What rises with everything that can change a ranking or an entry of the event."""
    names = ("version", "last_round", "entries_version", "corrections", "adjustments_version")
    return {name: int(getattr(header, name) or 0) for name in names}


def _demand_open_names(frame: Frame) -> None:
    if frame.header.sealing is not None:
        # Each encrypted event has a key of its own, and nobody but its organizer has the digits.
        raise Problem("series_encrypted", name=frame.settings.name)
    if whole(frame.header.purged_at) is not None:
        raise Problem("series_purged", name=frame.settings.name)


def _demand_readable(source: Frame, played: bool) -> None:
    _demand_open_names(source)
    name = source.settings.name
    if is_frozen(source):
        raise Problem("series_frozen", name=name)
    if (played or source.rounds) and not is_finished(source):
        raise Problem("series_unfinished", name=name)


def _rows(world: World, place: int, source: Frame) -> list[Standing]:
    header, settings = source.header, source.settings
    if not source.rounds:
        # 报名: nothing was played there, so everybody goes on, best seed first.
        if registration.is_open(header, settings, world.now()):
            raise Problem("series_registration_open", name=settings.name)
        found = roster.stored(header)
        model = model_of(settings, [entry_of(row) for row in found], [])
        order = [side[0] for side in seeded_order(model, [(row.number,) for row in found])]
        out = {row.number for row in found if row.left_after_round is not None}
        return [Standing(place, number, rank, None, number in out) for rank, number in enumerate(order, start=1)]
    event = event_of(world, header, settings)
    if any(table.outcome is Outcome.UNPLAYED for drawn in event.drawn for table in drawn.tables):
        raise Problem("series_unfinished", name=settings.name)
    left = {entry.number for entry in event.entries if entry.left_after_round is not None}
    ranked = standings(event, addends=False).rows
    return [Standing(place, row.entry, row.rank, row.group, row.entry in left) for row in ranked]


def _dealt(
    sources: list[Frame],
    targets: list[Frame],
    plan: StagePlan,
    selection: Selection,
    entries: dict[Key, StoredEntry],
    seed: str,
) -> list[list[Line]]:
    going: dict[Key, Going] = {one.key: one for one in selection.going}
    clubs = {key: entries[key].club or None for key in going}
    seats = distribute(list(going), [plan.groups] * len(targets), plan.method, seed, clubs)
    lines: list[list[tuple[int, Line]]] = [[] for _ in targets]
    for seat in seats:
        # Nobody was ranked where nothing was played: whoever had a seed there keeps it.
        kept = seat.seed if sources[seat.key[0]].rounds else entries[seat.key].seed
        line = Line(*seat.key, going[seat.key].rank, kept, seat.group)
        lines[seat.target].append((seat.seed, line))
    return [[line for _, line in sorted(found, key=lambda each: each[0])] for found in lines]


def _demand_fit(
    target: Frame,
    sources: list[Frame],
    lines: list[Line],
    entries: dict[Key, StoredEntry],
    groups: int,
    phones: dict[str, Key],
) -> None:
    """``phones``: whose each is in the targets before; the events of a stage are played side by side, so nobody plays
    in two of them."""
    settings = target.settings
    kind = kind_of(settings.kind)
    if groups > 1:
        if not takes_groups(settings):
            raise Problem(
                "setting_not_offered",
                kind_zh=kind.chinese,
                kind_en=kind.english,
                setting_zh="分组",
                setting_en="groups",
            )
        if groups > len(lines) // 2:
            raise Problem("groups_too_many", "groups", most=len(lines) // 2)
    fewest, most = kind.players

    def named(key: Key) -> str:
        return f"{sources[key[0]].settings.name} · {roster.seat(entries[key]).name}"

    def chosen(key: Key) -> dict[str, Any]:
        return {"event_id": sources[key[0]].header.event_id, "number": key[1], "name": named(key)}

    for line in lines:
        key = (line.source, line.number)
        entry = entries[key]
        who = named(key)
        if not fewest <= len(entry.players) <= most:
            raise Problem("series_players", name=settings.name, team=who)
        if kind.club_ranking and not entry.club:
            raise Problem("club_missing", "club")
        for phone in {player.phone for player in entry.players if player.phone}:
            if phone in phones:
                first = phones[phone]
                # Who may go on only once is declined once: the console offers it.
                raise Problem("series_twice", current=[chosen(first), chosen(key)], name=named(first), other=who)
            phones[phone] = key


def takes_groups(settings: Settings) -> bool:
    """Whether the event's entries can be divided into groups."""
    return meeting_of(model_of(settings, (), ())) is Meeting.ROUND_ROBIN


def _fingerprint(
    targets: list[Frame], lines: list[list[Line]], entries: dict[Key, StoredEntry], selection: Selection
) -> str:
    content: list[Any] = [
        [
            target.header.event_id,
            [[line, entries[line.source, line.number].version] for line in dealt],
        ]
        for target, dealt in zip(targets, lines, strict=True)
    ]
    content.append([[tie.source, tie.group, tie.entries, tie.places_left] for tie in selection.undecided])
    return hashlib.sha256(msgspec.json.encode(content)).hexdigest()[:32]
