"""An event as the value of its document: everything stated, nothing left to a default, so nothing is lost."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from chalicelib.rules.kinds import Kind, kind_of
from chalicelib.rules.levels import level_name
from chalicelib.rules.model import BoardPoints, Entry, Event, Outcome, Round, Table, Unearned

FORMAT: Final = "guanjun-event/1"


def to_document(event: Event) -> dict[str, Any]:
    """The document of an event as plain JSON values; ``parse`` of it gives the same event (in canonical order)."""
    kind = kind_of(event)
    return {
        "format": FORMAT,
        "event": _settings(event),
        "clubs": list(event.clubs),
        "entries": [_entry(entry) for entry in event.entries],
        "rounds": [_round(drawn, kind) for drawn in event.drawn],
        "adjustments": [
            {
                "entry": adjustment.entry,
                "round": adjustment.round,
                "criterion": adjustment.criterion,
                "amount": _number(adjustment.amount),
                "reason": adjustment.reason,
            }
            for adjustment in event.adjustments
        ],
    }


def _settings(event: Event) -> dict[str, Any]:
    points, pairing = event.points, event.pairing
    return {
        "name": event.name,
        "kind": event.kind.value,
        "knockout": event.knockout,
        "third_place_match": event.third_place_match,
        "rounds": event.rounds,
        "time_zone": event.time_zone,
        "criteria": list(event.criteria),
        "points": {
            "win": _number(points.win),
            "draw": _number(points.draw),
            "loss": _number(points.loss),
            "no_show": _number(points.no_show),
        },
        "bye": _unearned(event.bye),
        "walkover": _unearned(event.walkover),
        "absent": _unearned(event.absent),
        "pairing": {
            "method": pairing.method.value,
            "order": pairing.order.value,
            "first_round": pairing.first_round.value,
            "club_rule": pairing.club_rule.value,
            "club_until_round": pairing.club_until_round,
            "seed": pairing.seed,
        },
        "partners": event.partners.value,
        "meets_by": event.meets_by.value,
        "duplicate_scale": event.duplicate_scale,
        "rotation_points": [_number(points) for points in event.rotation_points],
        "mitchell_ranking": event.mitchell_ranking.value,
        "median_field": event.median_field.value,
        "club_ranking": {"on": event.club_ranking.on, "best": event.club_ranking.best},
    }


def _unearned(unearned: Unearned) -> dict[str, Any]:
    return {
        "match_points": _number(unearned.match_points),
        "level_points": _number(unearned.level_points),
        "upgrades": _number(unearned.upgrades),
        "board_points": _board_points(unearned.board_points),
    }


def _entry(entry: Entry) -> dict[str, Any]:
    return {
        "no": entry.number,
        "name": entry.name,
        "club": entry.club,
        "players": [
            {"name": player.name, "phone": player.phone} if player.phone else {"name": player.name}
            for player in entry.players
        ],
        "group": entry.group,
        "seed": entry.seed,
        "joined_round": entry.joined_round,
        "left_after_round": entry.left_after_round,
    }


def _round(drawn: Round, kind: Kind) -> dict[str, Any]:
    return {
        "no": drawn.number,
        "tables": [_table(table, kind) for table in drawn.tables],
        "byes": list(drawn.byes),
        "sit_outs": list(drawn.sit_outs),
    }


def _table(table: Table, kind: Kind) -> dict[str, Any]:
    written: dict[str, Any] = {
        "table": table.number,
        "ns": _side(table.ns),
        "ew": _side(table.ew),
        "outcome": table.outcome.value,
    }
    for name, level in (("ns_level", table.ns_level), ("ew_level", table.ew_level)):
        if level is not None:
            written[name] = _level(level)
    if table.boards or (table.outcome is Outcome.PLAYED and not kind.scored_by_levels):
        written["boards"] = [{"board": board.number, "result": board.result} for board in table.boards]
    if table.board_set is not None:
        written["set"] = table.board_set
    if table.room is not None:
        written["room"] = table.room.value
    if table.winner is not None:
        written["winner"] = table.winner.value
    if table.postponed:
        written["postponed"] = True
    if table.third_place:
        written["third_place"] = True
    return written


def _side(side: tuple[int, ...]) -> int | list[int]:
    return side[0] if len(side) == 1 else list(side)


def _level(index: int) -> str | dict[str, Any]:
    name, lap = level_name(index)
    return name if lap == 1 else {"lap": lap, "level": name}


def _board_points(points: BoardPoints) -> int | float | str:
    return points if isinstance(points, str) else _number(points)


def _number(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else float(value)
