"""What boards do to levels, as a table of cases that the phone's own counting is tested against.

``python -m tests.rules.climb_cases`` writes ``web/test/climb-cases.json`` anew; ``test_climb_cases`` says when the
rules have moved away from it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chalicelib.rules.levels import FailuresAtA, level_name, levels_after, open_ended_levels_after

FILE = Path(__file__).parents[2] / "web" / "test" / "climb-cases.json"
RESULTS = (3, 2, 1, -1, -2, -3)


def sequences() -> Iterator[list[int]]:
    """Runs of boards: the shortest ones all, the way up to A and over it, failures there, and a mixture of lengths."""
    yield []
    yield from ([result] for result in RESULTS)
    to_a = [3, 3, 3, 3]
    for last in RESULTS:
        yield [*to_a, last]
        yield [*to_a, 1, 1, last]
        yield [*to_a, -1, 1, -1, 1, -2, last]
    yield [*to_a, *([1] * 6)]
    yield [*to_a, 2, 3, 3, 3, 3, 3, 2, 1]
    yield [-result for result in to_a] + [-3, 3, -2]
    chance = random.Random(20261130)
    for length in (5, 9, 14, 20, 30, 45):
        for _ in range(12):
            yield [chance.choice(RESULTS) for _ in range(length)]


def cases() -> list[dict[str, Any]]:
    """Every run with the levels that each setting makes of it."""
    found = []
    for results in sequences():
        case: dict[str, Any] = {"results": results}
        for failures in FailuresAtA:
            climb = levels_after(results, failures)
            lost = None if climb.lost is None else ("ns" if climb.lost else "ew")
            case[failures.value] = [level_name(climb.ns_level)[0], level_name(climb.ew_level)[0], lost]
        case["laps"] = [list(level_name(index)) for index in open_ended_levels_after(results)]
        found.append(case)
    return found


def text() -> str:
    """The file's content: one case in a line."""
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases())
    return f"[\n{lines}\n]\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
