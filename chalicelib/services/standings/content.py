"""What a version of the standings says: rows as they are shown, 团体 rows, and a fingerprint of it all.

Made from the rules' event alone, so that the stored standings can be compared byte for byte with the pure function.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import msgspec

from chalicelib.rules.columns import Value
from chalicelib.rules.criteria import CRITERIA, ROUNDS_SURVIVED
from chalicelib.rules.exact import shown
from chalicelib.rules.model import Entry, Event, Outcome, Round
from chalicelib.rules.standings import Row, standings
from chalicelib.services.stored.packs import Unsure
from chalicelib.services.views.events import Labelled
from chalicelib.services.views.standings import Counts

LOT_SHOWN = 8
NOT_APPLICABLE = "–"


class Content(msgspec.Struct, frozen=True):
    """One state of the standings. ``rows`` and ``clubs`` are JSON values; ``round`` is the last one published, of which
    it ``counts`` so much; ``provisional``: some results in it are not effective yet."""

    round: int
    counts: Counts
    criteria: list[Labelled]
    rows: list[dict[str, Any]]
    clubs: list[dict[str, Any]]
    provisional: bool

    def encoded(self) -> bytes:
        """The whole as bytes: equal content, equal bytes."""
        return msgspec.json.encode(self)

    def fingerprint(self) -> str:
        """A name for exactly this content."""
        return hashlib.sha256(self.encoded()).hexdigest()[:32]


def labels(event: Event) -> list[Labelled]:
    """The criteria of the ranking in order, with their words."""
    survived = [Labelled(ROUNDS_SURVIVED, "晋级轮数", "Rounds survived")] if event.knockout else []
    rows = (CRITERIA[code] for code in event.criteria)
    return survived + [Labelled(row.code, row.chinese, row.english) for row in rows]


def shown_value(code: str, value: Value) -> str:
    """A value as pages show it: numbers with at most two decimals, lists with spaces, a lot by its beginning; a dash
    where there is nothing (yet)."""
    if value is None:
        return NOT_APPLICABLE
    if not isinstance(value, str):
        return " ".join(shown(part) for part in value) or NOT_APPLICABLE
    if value.isdigit():
        return value
    return value[:LOT_SHOWN] if code == "lot" else shown(value)


def exact_part(value: str) -> str:
    """An addend as pages show it: with at most two decimals if that is all of it, else as a fraction (``16/3``), so
    that addends can be added up."""
    text = shown(value)
    return text if Fraction(text) == Fraction(value) else value


def counts_of(drawn: Round | None, unsure: Unsure) -> Counts:
    """How much a ranking counts whose last round is ``drawn``; what only one side has said is not all of it."""
    if drawn is None:
        return "all"
    outcomes = [table.outcome is not Outcome.UNPLAYED for table in drawn.tables]
    if not (any(outcomes) or drawn.byes or drawn.sit_outs):
        return "nothing"
    missing = any(table.outcome is Outcome.UNPLAYED and not table.postponed for table in drawn.tables)
    return "part" if missing or unsure.get(drawn.number) else "all"


def content_of(event: Event, unsure: Unsure | None = None, through: int | None = None) -> Content:
    """Rank the event (over its rounds up to ``through``, if given) and say it as it is shown; ``moved`` compares with
    the round before; entries that are ``unsure`` in a counted round are marked as provisional."""
    rounds = [drawn for drawn in event.counted() if through is None or drawn.number <= through]
    counted = [drawn.number for drawn in rounds]
    last = counted[-1] if counted else 0
    ranked = standings(event, through_round=through, addends=False)
    before = _ranks_before(event, last)
    codes = labels(event)
    entries = {entry.number: entry for entry in event.entries}
    provisional = {number for each in counted for number in (unsure or {}).get(each, ())}
    return Content(
        last,
        counts_of(rounds[-1] if rounds else None, unsure or {}),
        codes,
        [_row(row, entries[row.entry], codes, before, last, row.entry in provisional) for row in ranked.rows],
        [
            {
                "rank": row.rank,
                "tied": row.tied,
                "club": row.club,
                "complete": row.complete,
                "entries": list(row.entries),
                "values": [
                    shown_value(label.code, row.values[label.code]) for label in codes if label.code in row.values
                ],
            }
            for row in ranked.clubs
        ],
        bool(provisional),
    )


def _ranks_before(event: Event, last: int) -> Mapping[int, int]:
    if last < 2:
        return {}
    return {row.entry: row.rank for row in standings(event, through_round=last - 1, addends=False).rows}


def _row(
    row: Row, entry: Entry, codes: list[Labelled], before: Mapping[int, int], last: int, provisional: bool
) -> dict[str, Any]:
    players = [player.name for player in entry.players]
    # Who joined in this round had no place before, though a ranking of the earlier rounds lists the entry as absent.
    old = before.get(row.entry) if entry.joined_round < last else None
    return {
        "rank": row.rank,
        "tied": row.tied,
        "no": row.entry,
        "name": entry.name or " / ".join(players),
        "club": entry.club or "",
        "players": players,
        "values": [shown_value(label.code, row.values[label.code]) for label in codes],
        "moved": None if old is None else old - row.rank,
        "group": row.group,
        "left": entry.left_after_round is not None and entry.left_after_round < last,
        "provisional": provisional,
    }
