"""The ladders there are: the two that exist from the start, and those that the platform's administrators made."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from chalicelib.rules.ladders import AdditiveScale, LadderRules, Method
from chalicelib.services.problems import Problem
from chalicelib.store.ladders import LADDERS, Ladder, find_ladder, stored_ladders


class Parameters(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """How a season counts. ``per_entry``: points of the winner per entry, at most ``most``; ``paid_percent`` of the
    field get a share; ``factor``: the most a side can win at one table of an Elo."""

    method: Literal["additive", "elo"] = "additive"
    per_entry: Annotated[int, Meta(ge=1, le=100)] = 1
    most: Annotated[int, Meta(ge=1, le=100_000)] = 200
    paid_percent: Annotated[int, Meta(ge=1, le=100)] = 50
    factor: Annotated[int, Meta(ge=1, le=100)] = 24

    def rules(self) -> LadderRules:
        """The same as the rules read it."""
        scale = AdditiveScale(Fraction(self.per_entry), Fraction(self.most), Fraction(self.paid_percent, 100))
        return LadderRules(Method(self.method), scale, float(self.factor))


class Season(msgspec.Struct, frozen=True):
    """One season of a ladder; times in milliseconds since 1970 UTC. ``closed_at`` None: it is the one that counts."""

    number: int
    name: str
    parameters: Parameters
    opened_at: int
    closed_at: int | None = None


_FIRST: Final = Season(1, "1", Parameters(), 0)
_FROM_THE_START: Final = {"qingdao": ("青岛系列", "Qingdao series"), "platform": ("平台天梯", "Platform ladder")}
"""The manual's two switches. They are stored once somebody changes them."""


def _first(ladder_id: str) -> Ladder:
    name, name_en = _FROM_THE_START[ladder_id]
    return Ladder(LADDERS, ladder_id, name=name, name_en=name_en, seasons=[msgspec.to_builtins(_FIRST)], version=0)


def all_ladders() -> list[Ladder]:
    """Every ladder, archived ones too: the two of the start first, then by age."""
    stored = {ladder.sk: ladder for ladder in stored_ladders()}
    first = [stored.pop(ladder_id) if ladder_id in stored else _first(ladder_id) for ladder_id in _FROM_THE_START]
    return [*first, *sorted(stored.values(), key=lambda ladder: (int(ladder.created_at), ladder.sk))]


def known_ladder(ladder_id: str) -> Ladder:
    """A ladder, strongly consistent; one that was never changed has version 0. Raises ladder_not_found."""
    found = find_ladder(ladder_id)
    if found is None and ladder_id in _FROM_THE_START:
        return _first(ladder_id)
    if found is None:
        raise Problem("ladder_not_found")
    return found


def seasons_of(ladder: Ladder) -> list[Season]:
    """Its seasons, the oldest first."""
    return msgspec.convert(ladder.seasons, list[Season])


def open_season(ladder: Ladder) -> Season | None:
    """The season for which events count now."""
    seasons = seasons_of(ladder)
    return seasons[-1] if seasons and seasons[-1].closed_at is None else None


def season_of(ladder: Ladder, number: int | None) -> Season | None:
    """The season of that number, or (None) the latest; None if the ladder never had one.

    Raises season_not_found for a number it does not have.
    """
    seasons = seasons_of(ladder)
    if number is None:
        return seasons[-1] if seasons else None
    if not 1 <= number <= len(seasons):
        raise Problem("season_not_found", "season")
    return seasons[number - 1]


def check_choice(old: list[str], new: list[str], field: str) -> None:
    """Refuse a ladder in ``new`` that is not there, is archived (unless it was chosen before) or stands there twice.

    Raises bad_value with ``field``.
    """
    if len(set(new)) != len(new):
        raise Problem("bad_value", field, why_zh="同一个天梯选了两次", why_en="a ladder is chosen twice")
    begun = set(new) - set(old)
    if not begun:
        return
    active = {ladder.sk for ladder in all_ladders() if ladder.archived_at is None}
    if begun - active:
        raise Problem(
            "bad_value", field, why_zh="没有这个天梯，或已归档", why_en="there is no such ladder, or it is archived"
        )


def still_active(chosen: list[str]) -> list[str]:
    """Those of ``chosen`` that an event may begin to count for."""
    if not chosen:
        return []
    active = {ladder.sk for ladder in all_ladders() if ladder.archived_at is None}
    return [ladder_id for ladder_id in chosen if ladder_id in active]
