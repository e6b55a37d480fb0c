"""Nothing lost, nothing doubled: the store at the end of a day against everything that the program said it had taken.

The expectation is the simulation's own book (``facts``); nothing of it was read back from the store.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec

from chalicelib.rules.document import parse
from chalicelib.rules.levels import INDEX, level_name
from infra.simulate.browser import Browser
from infra.simulate.day import Day
from infra.simulate.facts import Levels, PlayedTable
from infra.simulate.ledger import Ledger

MOST_SHOWN = 10


@dataclass
class Findings:
    """What was found. ``lost``: taken and not there; ``doubled``: there more often than taken; ``wrong``: there and
    saying something else; ``differs``: standings that are not the pure function of the results."""

    words: int = 0
    rulings: int = 0
    entries: int = 0
    check_ins: int = 0
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    differs: list[str] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Nothing at all is amiss."""
        return not (self.lost or self.doubled or self.wrong or self.differs)

    def lines(self) -> Iterator[str]:
        """For reading."""
        yield (
            f"{self.words} words, {self.rulings} rulings, {self.entries} entries, {self.check_ins} check-ins taken: "
            f"{len(self.lost)} lost, {len(self.doubled)} doubled, {len(self.wrong)} wrong"
        )
        found = [*self.lost, *self.doubled, *self.wrong, *self.differs]
        yield from (f"  {each}" for each in found[:MOST_SHOWN])
        yield "standings are " + ("NOT " if self.differs else "") + "the pure function of the results, byte for byte"


def check(day: Day) -> Findings:
    """Look at the whole store once more."""
    findings = Findings()
    # What is asked now belongs to no bill.
    books, day.stage.ledger = day.stage.ledger, Ledger()
    try:
        for look in (_check_words, _check_audit, _check_entries, _check_results, _check_standings):
            look(day, findings)
    finally:
        day.stage.ledger = books
    return findings


def _items(day: Day, table: str, pk: str, begins_with: str = "") -> Iterator[dict[str, Any]]:
    """Items of a partition as plain values, past the program."""
    from boto3.dynamodb.types import TypeDeserializer

    from chalicelib.store.bulk import query_partition
    from chalicelib.store.tables import table_name

    plain = TypeDeserializer()
    for item in query_partition(table_name(table), pk, begins_with or None):
        yield {name: plain.deserialize(value) for name, value in item.items()}


def _levels(values: str) -> Levels:
    held = msgspec.json.decode(values)
    return _named(held["ns_level"], held["ew_level"])


def _named(ns: int | str, ew: int | str) -> Levels:
    one, two = (each if isinstance(each, str) else level_name(int(each))[0] for each in (ns, ew))
    return one, two


def _check_words(day: Day, findings: Findings) -> None:
    from chalicelib.store.matches import partition

    for number in range(1, day.rounds + 1):
        items = {item["sk"]: item for item in _items(day, "matches", partition(day.owner.event_id, number), "T#")}
        for table in day.facts.of_round(number):
            _check_table(table, items, findings)
        expected = {f"T#{table.table:05d}#WORD#{side}" for table in day.facts.of_round(number) for side in table.words}
        found = {key for key in items if "#WORD#" in key}
        findings.doubled += [f"round {number}: {key} was never taken" for key in sorted(found - expected)]


def _check_table(table: PlayedTable, items: dict[str, dict[str, Any]], findings: Findings) -> None:
    where = f"round {table.round} table {table.table}"
    for side, said in table.words.items():
        findings.words += len(said)
        word = items.get(f"T#{table.table:05d}#WORD#{side}")
        if word is None:
            findings.lost.append(f"{where}: the word of {side}")
            continue
        version = int(word["version"])
        if version < len(said):
            findings.lost.append(f"{where}: {len(said) - version} words of {side}")
        elif version > len(said):
            findings.doubled.append(f"{where}: {version} words of {side}, taken were {len(said)}")
        elif _levels(word["values"]) != said[-1]:
            findings.wrong.append(f"{where}: the word of {side}")
    match = items.get(f"T#{table.table:05d}")
    ruling = msgspec.json.decode(match["ruling"]) if match is not None and match.get("ruling") else None
    if table.ruling is not None:
        findings.rulings += table.version - 1
        if ruling is None:
            findings.lost.append(f"{where}: the ruling")
        elif _named(ruling["ns_level"], ruling["ew_level"]) != table.ruling:
            findings.wrong.append(f"{where}: the ruling")
    elif ruling is not None:
        findings.doubled.append(f"{where}: a ruling that nobody gave")


def _check_audit(day: Day, findings: Findings) -> None:
    """Every word stands once in the log: what was done twice would have been written twice."""
    acts = Counter(item["action"] for item in _items(day, "audit", f"EVENT#{day.owner.event_id}"))
    tables = day.facts.tables.values()
    expected = {
        "table.submit": sum(len(said) for table in tables for said in table.words.values()),
        "registration.register": len(day.facts.pairs),
    }
    for action, count in expected.items():
        if acts[action] < count:
            findings.lost.append(f"log: {count - acts[action]} of {action}")
        if acts[action] > count:
            findings.doubled.append(f"log: {acts[action] - count} of {action} too many")


def _check_entries(day: Day, findings: Findings) -> None:
    found = {entry["number"]: entry for entry in day.owner.get("/events/{event}/entries").json["entries"]}
    for pair in day.facts.pairs:
        entry = found.pop(pair.number, None)
        findings.entries += 1
        if entry is None:
            findings.lost.append(f"entry {pair.number}")
            continue
        if [player["phone"] for player in entry["players"]] != list(pair.phones):
            findings.wrong.append(f"entry {pair.number}")
        findings.check_ins += pair.checked_in
        if pair.checked_in and entry["checked_in_at"] is None:
            findings.lost.append(f"the check-in of entry {pair.number}")
    findings.doubled += [f"entry {number} was never taken" for number in found]


def _check_results(day: Day, findings: Findings) -> None:
    """What counts by the exported document, against what counts by the book."""
    event = parse(_document(day.owner))
    for drawn in event.drawn:
        for table in drawn.tables:
            expected = day.facts.tables[drawn.number, table.number].result
            assert expected is not None
            if (table.ns_level, table.ew_level) != (INDEX[expected[0]], INDEX[expected[1]]):
                findings.wrong.append(f"round {drawn.number} table {table.number}: the result")


def _check_standings(day: Day, findings: Findings) -> None:
    """The public files and the stored pages, against the pure function of the exported document."""
    from chalicelib.services.standings.content import content_of
    from chalicelib.services.standings.pages import PUBLIC_FIELDS
    from chalicelib.store.standings import find_pointer

    computed = content_of(parse(_document(day.owner)))
    pointer = find_pointer(day.owner.event_id)
    assert pointer is not None
    rows: list[Any] = []
    for page in range(1, int(pointer.standings_pages) + 1):
        file = day.stage.files.get(f"pub/{day.owner.event_id}/standings/{pointer.standings}/{page}.json")
        if file is None:
            findings.differs.append(f"page {page} of the public standings is not there")
            return
        rows += msgspec.json.decode(file.body)["rows"]
    expected = [{name: row[name] for name in PUBLIC_FIELDS} for row in computed.rows]
    if msgspec.json.encode(rows) != msgspec.json.encode(expected):
        findings.differs.append("the public standings differ from the pure function")
    comparison = day.owner.get("/events/{event}/comparison").json
    if not comparison["equal"]:
        findings.differs += [f"stored standings: {each}" for each in comparison["differences"]] or ["stored standings"]


def _document(owner: Browser) -> bytes:
    from chalicelib.services.documents import written
    from chalicelib.services.finding import known_event

    # As a job makes it for a large event.
    header, settings = known_event(owner.event_id)
    return written(owner.stage.world, header, settings, None)
