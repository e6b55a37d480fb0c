"""Everything that a simulated day asked for, by kind: a route, a function, a public file.

A kind has calls that were carried out and measured, and calls that were only counted because they are like them
(polling above all). Totals are the measured ones plus the counted ones at the mean of the measured.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from dataclasses import dataclass, field

from infra.simulate.meter import Cost

API = "api_handler"


@dataclass
class Kind:
    """One kind of call. ``function`` carries it out; ``samples_ms`` is the measured time of each call: the program's
    own and what it waited for."""

    name: str
    function: str
    done: Cost = field(default_factory=Cost)
    samples_ms: list[float] = field(default_factory=list)
    counted: float = 0.0
    counted_bytes: float | None = None

    @property
    def calls(self) -> float:
        """All of them."""
        return self.done.calls + self.counted

    @property
    def total(self) -> Cost:
        """The cost of all of them. Raises ``ValueError`` where calls were counted and none was measured."""
        whole = Cost()
        whole.add(self.done)
        if self.counted:
            if not self.done.calls:
                raise ValueError(f"{self.name} was counted {self.counted:.0f} times and never measured")
            whole.add(self.done, self.counted / self.done.calls)
        return whole

    def median_ms(self) -> float:
        """Median of the measured times."""
        return statistics.median(self.samples_ms) if self.samples_ms else 0.0

    def p99_ms(self) -> float:
        """The time that 99 of a hundred calls stay below."""
        return percentile(self.samples_ms, 0.99)


@dataclass
class Files:
    """Requests for public files and pages, which the edge answers: never carried out, only counted."""

    requests: float = 0.0
    bytes_out: float = 0.0
    fetches: float = 0.0
    """Requests of the edge to S3 because it had nothing (any more)."""
    functions: float = 0.0
    """Runs of the path function."""

    def add(self, requests: float, bytes_each: float, fetches: float = 0.0, *, page: bool = False) -> None:
        """So many requests for files of that size over the wire."""
        self.requests += requests
        self.bytes_out += requests * bytes_each
        self.fetches += min(requests, fetches)
        self.functions += requests if page else 0.0


class Ledger:
    """The books of a day."""

    def __init__(self) -> None:
        self.kinds: dict[str, Kind] = {}
        self.files: dict[str, Files] = defaultdict(Files)
        self.records = 0
        """Stream records that reached a function."""
        self.sms = 0
        self.at_once: dict[str, dict[int, float]] = defaultdict(lambda: defaultdict(float))
        """Busy milliseconds of each function by second: how many processes it needs."""
        self.keys: set[tuple[str, str, int]] = set()
        """(function, table, window of some minutes) in which it was used: as often DynamoDB asks for a key."""

    def kind(self, name: str, function: str = API) -> Kind:
        """The kind of that name, made where it is missing."""
        if name not in self.kinds:
            self.kinds[name] = Kind(name, function)
        return self.kinds[name]

    def measured(self, name: str, function: str, at: float, cost: Cost, milliseconds: float) -> None:
        """One call was carried out at ``at`` (virtual ms); it took ``milliseconds`` in all."""
        kind = self.kind(name, function)
        kind.done.add(cost)
        kind.samples_ms.append(milliseconds)
        self.busy(function, at, milliseconds)

    def busy(self, function: str, at: float, milliseconds: float) -> None:
        """A process of a function was at work."""
        self.at_once[function][int(at) // 1000] += milliseconds

    def count(self, name: str, calls: float, function: str = API) -> None:
        """So many calls like the measured ones of this kind (negative: that many less)."""
        self.kind(name, function).counted += calls

    def peak(self, function: str) -> int:
        """The most processes of a function that were needed within a second."""
        busiest = max(self.at_once[function].values(), default=0.0)
        return max(1, round(busiest / 1000 + 0.5))

    def cold_starts(self, function: str, life_seconds: float) -> int:
        """How many processes began: more than were needed in the time before in which an idle one lives."""
        needed: dict[int, int] = defaultdict(int)
        for second, milliseconds in self.at_once[function].items():
            window = int(second // life_seconds)
            needed[window] = max(needed[window], round(milliseconds / 1000 + 0.5))
        return sum(max(0, count - needed.get(window - 1, 0)) for window, count in sorted(needed.items()))


def percentile(values: list[float], share: float) -> float:
    """The value below which ``share`` of them lie; 0 for none."""
    if not values:
        return 0.0
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]
