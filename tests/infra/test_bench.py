"""The measurements' own arithmetic: a target that is missed must not look met."""

import json

import pytest

from infra.bench.row import BenchRow
from infra.commands.bench import document, table


@pytest.mark.parametrize(
    ("row", "met"),
    [
        (BenchRow("Q1", "pairing", 0.4, "s", target=0.5), True),
        (BenchRow("Q1", "pairing", 0.6, "s", target=0.5), False),
        (BenchRow("Q1", "writes", 900, "per s", target=840, at_least=True), True),
        (BenchRow("Q1", "writes", 800, "per s", target=840, at_least=True), False),
        (BenchRow("Q4", "import", 140, "ms", reference=100, ratio_target=1.4), True),
        (BenchRow("Q4", "import", 141, "ms", reference=100, ratio_target=1.4), False),
        (BenchRow("Q4", "import", 100, "ms", target=90, reference=100, ratio_target=1.4), False),
        (BenchRow("Q4", "shown", 100, "ms", reference=50), None),
    ],
)
def test_a_target_is_met_or_not(row: BenchRow, met: bool | None) -> None:
    assert row.met is met


def test_the_table_marks_what_is_missed() -> None:
    good = BenchRow("Q1", "good", 1, "s", target=2, reference=4, reference_name="sorted")
    bad = BenchRow("Q2", "bad", 3, "s", target=2)
    head, first, second = table([good, bad]).splitlines()
    assert head.split()[0] == "id"
    assert first.endswith("0.25   yes")
    assert second.rstrip().endswith("NO")


def test_the_document_is_json_with_ratio_and_verdict() -> None:
    row = BenchRow("Q4", "import", 150, "ms", reference=100, ratio_target=1.4)
    written = json.loads(json.dumps(document([row])))
    assert written["rows"][0]["ratio"] == 1.5
    assert written["rows"][0]["met"] is False
