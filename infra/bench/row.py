"""One line of the measurements."""

from dataclasses import dataclass


@dataclass(frozen=True)
class BenchRow:
    """A measured figure beside its target and, if there is one, a reference measured in the same run.

    ``target`` is the largest value that is good enough (with ``at_least`` the smallest); None: only shown.
    Times of different machines do not compare, so where a reference is given the ratio counts:
    ``value / reference`` against ``ratio_target``.
    """

    id: str
    what: str
    value: float
    unit: str
    target: float | None = None
    at_least: bool = False
    reference: float | None = None
    reference_name: str = ""
    ratio_target: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """How many times the reference, or None without one."""
        return self.value / self.reference if self.reference else None

    @property
    def met(self) -> bool | None:
        """Whether every target of this row is met; None when it has none."""
        verdicts: list[bool] = []
        if self.target is not None:
            verdicts.append(self.value >= self.target if self.at_least else self.value <= self.target)
        if self.ratio_target is not None and self.ratio is not None:
            verdicts.append(self.ratio >= self.ratio_target if self.at_least else self.ratio <= self.ratio_target)
        return all(verdicts) if verdicts else None
