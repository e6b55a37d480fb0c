"""A knock-out's old results: they can be corrected only while the match that follows from them has no result.

Who goes on follows from the corrected table, so a result of the next match would stand on sand. The organizer clears
that one first (a ruling that the table is unplayed), then corrects this one. That the next round has to be drawn again
then is told by ``redrawing``.
"""

from __future__ import annotations

from collections.abc import Iterable

from chalicelib.rules.model import Outcome
from chalicelib.services.problems import Problem
from chalicelib.services.stored import tables
from chalicelib.services.stored.tables import StoredTable
from chalicelib.services.table_views import Surroundings, double_submission, table_keys
from chalicelib.services.world import World
from chalicelib.store import matches
from chalicelib.store.bulk import get_items
from chalicelib.store.events import EventHeader, RoundHeader, round_key
from chalicelib.store.matches import Match, Word, partition, table_key, word_key
from chalicelib.store.transaction import Transaction

EVENTS = EventHeader.Meta.table_name


def demand_without_result(work: Transaction, world: World, seen: Surroundings) -> None:
    """Let ``work``, which changes a table's result, fail if a next match of its sides has a result, or gets one now.

    Does nothing outside knock-outs. Raises next_match_played, which names the table.
    """
    if not seen.settings.knockout:
        return
    for header, table in _next_matches(world, seen):
        effective = tables.state_of(table, double_submission(header, seen.settings)).effective
        problem = Problem(
            "next_match_played",
            current={"round": table.round, "table": table.table},
            round=table.round,
            table=table.match,
        )
        if effective is not None and effective.outcome is not Outcome.UNPLAYED:
            raise problem
        _demand_unchanged(work, seen.event.event_id, table, problem)


def _next_matches(world: World, seen: Surroundings) -> Iterable[tuple[RoundHeader, StoredTable]]:
    """The first later table of each side, with the header of its round."""
    event_id = seen.event.event_id
    looking = {*seen.table.ns, *seen.table.ew}
    for number in range(seen.table.round + 1, int(seen.event.last_round) + 1):
        entries = sorted(looking)
        header, *seats = get_items(
            [
                (EVENTS, event_id, round_key(number)),
                *(matches.seat_at(event_id, number, entry) for entry in entries),
            ],
            world.sleep,
            world.random.fraction,
        )
        drawn = None if header is None else RoundHeader.from_raw_data(header)
        if drawn is None or drawn.phase == "draft":
            return
        seated = [
            (entry, int(seat["table"]["N"]))
            for entry, seat in zip(entries, seats, strict=True)
            if seat is not None and seat["generation"]["S"] == drawn.generation and seat["table"]["N"] != "0"
        ]
        looking -= {entry for entry, _ in seated}
        for table in sorted({table for _, table in seated}):
            keys = table_keys(event_id, number, table)
            match, ns, ew, running = get_items(keys, world.sleep, world.random.fraction)
            if match is not None:
                yield drawn, tables.with_words(match, ns, ew, running)


def _demand_unchanged(work: Transaction, event_id: str, table: StoredTable, problem: Problem) -> None:
    pk = partition(event_id, table.round)
    same = (Match.version == table.version) & (Match.generation == table.generation)
    work.check(Match(pk, table_key(table.table)), same, lambda old: problem)
    for side in tables.SIDES:
        word = table.words.get(side)
        unsaid = Word.pk.does_not_exist() if word is None else Word.version == word.version
        work.check(Word(pk, word_key(table.table, side)), unsaid, lambda old: problem)
