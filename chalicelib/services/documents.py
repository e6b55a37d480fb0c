"""The rules' view of an event: entries, rounds and settings from the store as one frozen value, and its JSON export.

Everything that ranks or pairs starts here, so that a drawing, the standings and an exported file cannot differ.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import msgspec

from chalicelib.rules.document import to_document
from chalicelib.rules.kinds import KINDS
from chalicelib.rules.model import (
    PAR,
    Adjustment,
    BoardPoints,
    CandidateOrder,
    ClubRanking,
    ClubRule,
    Entry,
    Event,
    FirstRound,
    KindCode,
    MatchPoints,
    MedianField,
    MeetsBy,
    MitchellRanking,
    PairingMethod,
    PairingSettings,
    Partners,
    Player,
    Round,
    Unearned,
)
from chalicelib.services import adjustments
from chalicelib.services.finding import IN_PLAY, known_event
from chalicelib.services.large_events import refuse_large
from chalicelib.services.privacy.keys import OpenKey, unlocked
from chalicelib.services.settings import Absence, Award, Settings
from chalicelib.services.stored import packs, roster
from chalicelib.services.stored.packs import Unsure
from chalicelib.services.world import World
from chalicelib.store.events import EventHeader, RoundHeader, rounds


def model_of(
    settings: Settings, entries: Iterable[Entry], drawn: Iterable[Round], given: Iterable[Adjustment] = ()
) -> Event:
    """The event as the rules read it; ``entries`` and ``drawn`` ascend by number; ``given`` are the adjustments."""
    kind = KINDS[settings.kind]
    points = settings.points
    win = Fraction(points.win)
    return Event(
        name=settings.name,
        kind=KindCode(settings.kind),
        rounds=settings.rounds,
        criteria=tuple(settings.criteria) or kind.default_criteria,
        entries=tuple(entries),
        drawn=tuple(drawn),
        adjustments=tuple(given),
        clubs=tuple(settings.clubs),
        time_zone=settings.time_zone,
        points=MatchPoints(win, Fraction(points.draw), Fraction(points.loss), Fraction(points.no_show)),
        knockout=settings.knockout,
        third_place_match=settings.third_place_match,
        bye=_unearned(settings.bye, win),
        walkover=_unearned(settings.walkover, win),
        absent=_absent(settings.absent),
        pairing=PairingSettings(
            PairingMethod(settings.pairing.method),
            CandidateOrder(settings.pairing.order),
            FirstRound(settings.pairing.first_round),
            ClubRule(settings.pairing.club_rule),
            settings.pairing.club_until_round,
            settings.pairing.seed,
        ),
        partners=Partners(settings.partners),
        meets_by=MeetsBy(settings.meets_by),
        duplicate_scale=settings.duplicate_scale,
        rotation_points=(
            Fraction(settings.rotation_points.three),
            Fraction(settings.rotation_points.two),
            Fraction(settings.rotation_points.one),
        ),
        mitchell_ranking=MitchellRanking(settings.mitchell_ranking),
        median_field=MedianField(settings.median_field),
        club_ranking=ClubRanking(settings.club_ranking.on, settings.club_ranking.best),
    )


def _unearned(award: Award, win: Fraction) -> Unearned:
    match_points = win if award.match_points is None else Fraction(award.match_points)
    board_points: BoardPoints = PAR if award.board_points is None else Fraction(award.board_points)
    return Unearned(match_points, Fraction(award.level_points), Fraction(award.upgrades), board_points)


def _absent(absence: Absence) -> Unearned:
    return Unearned(
        Fraction(absence.match_points),
        Fraction(absence.level_points),
        Fraction(absence.upgrades),
        Fraction(absence.board_points),
    )


def event_of(
    world: World,
    header: EventHeader,
    settings: Settings,
    *,
    raw: bool = False,
    phones: bool = False,
    live: Unsure | None = None,
    key: OpenKey | None = None,
    through: int | None = None,
) -> Event:
    """The event with every published round; drafts are no part of it.

    Settled rounds come from their packs, unless ``raw`` asks for every table as it stands in the store; ``phones``
    adds the players' phones (organizers' export only); ``live`` counts what only one side has said so far in the round
    in play, and learns for which entries; ``key`` opens the names of an encrypted event; ``through`` leaves the rounds
    after it unread.
    """
    if raw or phones or key is not None:
        entries = [entry_of(row, phones=phones) for row in roster.stored(header, key)]
    else:
        entries = [entry_of(row) for row in roster.packed(world, header.event_id)]
    published = [
        drawn
        for drawn in rounds(header.event_id)
        if drawn.phase != "draft" and (through is None or drawn.number <= through)
    ]
    if key is not None:
        settings = msgspec.structs.replace(settings, clubs=_named(roster.stored(header), entries, settings.clubs))
    return model_of(
        settings,
        entries,
        drawn_rounds(world, settings, published, raw=raw, live=live),
        adjustments.of_rules(header.event_id),
    )


def _named(rows: Iterable[roster.RosterRow], entries: Iterable[Entry], clubs: Iterable[str]) -> list[str]:
    """The 团体 of an encrypted event by their names: ids become what the entries that carry them call theirs."""
    name_of = {row.club: entry.club for row, entry in zip(rows, entries, strict=True) if entry.club}
    return list(dict.fromkeys(name_of.get(club) or club for club in clubs))


def entry_of(row: roster.RosterRow, *, phones: bool = False) -> Entry:
    """A row of the roster as the rules read it."""
    return Entry(
        number=row.number,
        name=row.name,
        club=row.club or None,
        players=tuple(Player(player.name, player.phone if phones else "") for player in row.players),
        group=row.group,
        seed=row.seed,
        joined_round=row.joined_round,
        left_after_round=row.left_after_round,
    )


def drawn_rounds(
    world: World, settings: Settings, published: list[RoundHeader], *, raw: bool, live: Unsure | None
) -> list[Round]:
    """The published rounds with their effective results, those in play with provisional ones if ``live``."""
    settled = [] if raw else [header for header in published if header.phase == "settled"]
    packed = packs.settled_rounds(world, settled, double_submission=settings.double_submission)
    return [
        Round(
            int(header.number),
            packed[int(header.number)]
            if int(header.number) in packed
            else packs.tables_of(
                header,
                double_submission=settings.double_submission,
                live=live if header.phase in IN_PLAY else None,
                whole=KINDS[settings.kind].duplicate,
            ),
            tuple(header.byes or ()),
            tuple(header.sit_outs or ()),
        )
        for header in published
    ]


def export(world: World, event_id: str, digits: str = "") -> tuple[bytes, str]:
    """The whole event as ``guanjun-event/1`` and the name of the file to save it under.

    An encrypted event names people only with its ``digits``. Raises event_not_found, digits_wrong, file_large.
    """
    header, settings = known_event(event_id)
    refuse_large(world, event_id)
    return written(world, header, settings, unlocked(world, header, digits)), f"{settings.name}.json"


def written(world: World, header: EventHeader, settings: Settings, key: OpenKey | None) -> bytes:
    """The whole event as ``guanjun-event/1``; ``key`` opens the names of an encrypted event."""
    event = event_of(world, header, settings, raw=True, phones=True, key=key)
    return msgspec.json.format(msgspec.json.encode(to_document(event)), indent=1)
