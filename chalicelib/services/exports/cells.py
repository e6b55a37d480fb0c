"""Cells that several sheets share."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from fractions import Fraction
from zoneinfo import ZoneInfo

from chalicelib.gateways.spreadsheets import Column, OutCell
from chalicelib.rules.columns import Value
from chalicelib.rules.criteria import CRITERIA, ROUNDS_SURVIVED
from chalicelib.rules.exact import value
from chalicelib.services.exports.facts import EntryLabel, PersonFacts
from chalicelib.services.exports.words import Language, word

TEXTS_AMONG_CRITERIA = frozenset({"lot", "high_rounds"})
PHONE_WIDTH = 14
TIME_WIDTH = 20


def local_time(moment: datetime | None, zone: str) -> str | None:
    """`2026-05-01 19:02:33` in the event's time zone."""
    return None if moment is None else moment.astimezone(ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M:%S")


def criterion_name(code: str, language: Language) -> str:
    """The name of a criterion, the one above its column on every page."""
    if code == ROUNDS_SURVIVED:
        return word("rounds_survived", language)
    criterion = CRITERIA[code]
    return criterion.chinese if language == "zh" else criterion.english


def criterion_column(code: str, language: Language) -> Column:
    return Column(criterion_name(code, language), "text" if code in TEXTS_AMONG_CRITERIA else "decimal")


def criterion_cell(code: str, of: Value) -> OutCell:
    """The value of a criterion: an exact number, the list of 轮高分 as text, the lot's hash, nothing."""
    if of is None:
        return None
    if not isinstance(of, str):
        return " ".join(of)
    return of if code in TEXTS_AMONG_CRITERIA else exact_number(of)


def exact_number(text: str | None) -> Fraction | None:
    """The number of an exact text."""
    return None if text is None else value(text)


def side_number(side: Sequence[EntryLabel]) -> OutCell:
    """`3`, or `3+8` for two persons who sit together."""
    return side[0].no if len(side) == 1 else "+".join(str(label.no) for label in side)


def side_name(side: Iterable[EntryLabel]) -> str:
    return "/".join(label.name for label in side)


def side_club(side: Iterable[EntryLabel]) -> str:
    """The clubs of a side, each once."""
    return "/".join(dict.fromkeys(label.club for label in side if label.club))


def people_columns(most: int, language: Language, *, phones: bool) -> tuple[Column, ...]:
    """Name and phone of each of `most` players; a lone player is called by name alone."""
    columns: list[Column] = []
    for number in range(1, most + 1):
        name, phone = ("person", "person_phone") if most == 1 else ("player", "player_phone")
        columns.append(Column(word(name, language, n=number)))
        if phones:
            columns.append(Column(word(phone, language, n=number), width=PHONE_WIDTH))
    return tuple(columns)


def people_cells(people: Sequence[PersonFacts], most: int, *, phones: bool) -> tuple[OutCell, ...]:
    """The cells below `people_columns`."""
    cells: list[OutCell] = []
    for number in range(most):
        person = people[number] if number < len(people) else PersonFacts("")
        cells += [person.name, person.phone] if phones else [person.name]
    return tuple(cells)
