"""What a simulated day must find in the store at its end: everything that the program said it had taken."""

from __future__ import annotations

from dataclasses import dataclass, field

Levels = tuple[str, str]


@dataclass
class PlayedTable:
    """One table as it was played: entries, each side's accepted words in order, and the referee's last ruling."""

    round: int
    table: int
    ns: int
    ew: int
    words: dict[str, list[Levels]] = field(default_factory=dict)
    said_at: dict[str, float] = field(default_factory=dict)
    ruling: Levels | None = None
    version: int = 1
    """The match's version, which guards rulings."""

    @property
    def agreed(self) -> bool:
        """Both sides say the same."""
        return len(self.words) == 2 and self.words["ns"][-1] == self.words["ew"][-1]

    @property
    def result(self) -> Levels | None:
        """What counts: the ruling, else what both sides say; None while nothing does."""
        if self.ruling is not None:
            return self.ruling
        return self.words["ns"][-1] if self.agreed else None


@dataclass
class Pair:
    """An entry: two players' phones and, once it is registered, its number."""

    index: int
    phones: tuple[str, str]
    names: tuple[str, str]
    club: str
    number: int = 0
    checked_in: bool = False


@dataclass
class Facts:
    """Everything that was accepted."""

    pairs: list[Pair]
    tables: dict[tuple[int, int], PlayedTable] = field(default_factory=dict)
    replays: int = 0
    """Requests that came again with their key and got the stored reply."""
    waits: list[float] = field(default_factory=list)
    """Seconds from a side's word to the moment when the phone that waited for it showed it."""
    snapshot_pages: int = 0

    def of_round(self, number: int) -> list[PlayedTable]:
        """The tables of one round."""
        return [table for (round_number, _), table in self.tables.items() if round_number == number]
