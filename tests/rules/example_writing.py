"""How the examples of the rule pages are written: words of one language, markdown tables, a list of examples."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from chalicelib.rules.criteria import CRITERIA


class Words:
    """Chooses the words of one language."""

    def __init__(self, language: str) -> None:
        self.chinese = language == "zh"

    def __call__(self, english: str, chinese: str) -> str:
        return chinese if self.chinese else english

    def criterion(self, code: str) -> str:
        row = CRITERIA[code]
        return row.chinese if self.chinese else row.english


Example = Callable[[Words], list[str]]


class Examples:
    """Examples by the name of the function that computes them; used as a decorator."""

    def __init__(self) -> None:
        self.examples: dict[str, Example] = {}

    def __call__(self, make: Example) -> Example:
        self.examples[make.__name__] = make
        return make


def table(heading: Iterable[str], lines: Iterable[Iterable[object]]) -> list[str]:
    names = list(heading)
    written = [" | ".join(map(str, line)) for line in lines]
    return [f"| {' | '.join(names)} |", "|" + "---|" * len(names), *(f"| {line} |" for line in written)]
