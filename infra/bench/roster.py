"""Q8: import of 10,000 rows from an .xlsx file, against a bare openpyxl pass over the same file."""

import io
import time
from collections.abc import Callable

from openpyxl import load_workbook

from chalicelib.gateways.spreadsheets import Workbook, read_sheets, write_workbook
from chalicelib.services.exports import EntryFacts, EntryLabel, PersonFacts, entries_sheet
from chalicelib.services.roster import RosterReport, needs_of, read_roster
from infra.bench.row import BenchRow

ENTRIES = 10_000
MOST_SECONDS = 10.0


def rows() -> list[BenchRow]:
    """Seconds of the whole dry run (look through the package, read, guess columns, check, compare phones)."""
    data = _roster_file()
    reports: list[RosterReport] = []
    taken = _seconds(lambda: reports.append(read_roster(read_sheets(data), needs_of("pairs"))))
    reference = _seconds(lambda: _openpyxl_pass(data))
    return [
        BenchRow(
            id="Q8",
            what=f"import of {len(reports[0].entries):,} pairs from .xlsx ({len(data) // 1000:,} kB), dry run",
            value=taken,
            unit="s",
            target=MOST_SECONDS,
            reference=reference,
            reference_name="openpyxl read-only pass over the same file",
            note=f"{len(reports[0].faults)} faults",
        )
    ]


def _roster_file() -> bytes:
    """10,000 pairs with two phones each, in the shapes that the sample rosters have."""
    entries = [
        EntryFacts(
            EntryLabel(number, f"第 {number} 队", f"团体{number % 40:02}"),
            (_person(2 * number), _person(2 * number + 1)),
        )
        for number in range(1, ENTRIES + 1)
    ]
    return write_workbook(Workbook((entries_sheet(entries, "Asia/Shanghai", "zh"),)))


def _person(number: int) -> PersonFacts:
    shape = "+86 138-{:04}-{:04}" if number % 3 else "138{:04}{:04}"
    return PersonFacts(f"选手{number:05}", shape.format(*divmod(number, 10_000)))


def _openpyxl_pass(data: bytes) -> int:
    page = load_workbook(io.BytesIO(data), read_only=True, data_only=True).worksheets[0]
    return sum(1 for _ in page.iter_rows(values_only=True))


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
