"""A store in which somebody else acts in the one bad moment."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from infra.local.engine import Engine


class CrowdedEngine(Engine):
    """Lets something else happen right before the next request of one kind."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._operation = ""
        self._meanwhile: Callable[[], Any] | None = None

    def before_next(self, operation: str, meanwhile: Callable[[], Any]) -> None:
        """Call ``meanwhile`` once, before the next ``operation`` is carried out."""
        self._operation, self._meanwhile = operation, meanwhile

    @property
    def met(self) -> bool:
        """Whether it has happened."""
        return self._meanwhile is None

    def answer(self, operation: str, body: bytes) -> tuple[int, bytes]:
        """As the engine does, a moment later."""
        if operation == self._operation and self._meanwhile is not None:
            meanwhile, self._meanwhile = self._meanwhile, None
            meanwhile()
        return super().answer(operation, body)
