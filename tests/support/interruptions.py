"""A process that dies in the middle: at any request to the store or write of a file, before it or after it."""

from __future__ import annotations

from pathlib import Path

from infra.local.engine import Engine
from infra.local.files import LocalFiles


class Killed(BaseException):
    """The process is gone; nothing catches this."""


class Executioner:
    """Counts writes and kills the process at one of them."""

    def __init__(self) -> None:
        self.writes = 0
        self._at: int | None = None
        self._after = False

    def kill_at(self, write: int | None, *, after: bool = False) -> None:
        """Die at that write from now on (0 is the next), before it happens or right after; None: live."""
        self.writes, self._at, self._after = 0, write, after

    def before(self) -> None:
        """A write is about to happen."""
        if self._at == self.writes and not self._after:
            raise Killed

    def after(self) -> None:
        """A write has happened."""
        self.writes += 1
        if self._at is not None and self._after and self._at < self.writes:
            raise Killed


class MortalEngine(Engine):
    """An engine whose client may die at any write."""

    def __init__(self, path: Path, executioner: Executioner) -> None:
        super().__init__(path)
        self._executioner = executioner

    def answer(self, operation: str, body: bytes) -> tuple[int, bytes]:
        """As the engine does, unless the client dies."""
        writes = "Write" in operation or operation in ("PutItem", "UpdateItem", "DeleteItem")
        if writes:
            self._executioner.before()
        reply = super().answer(operation, body)
        if writes:
            self._executioner.after()
        return reply


class MortalFiles(LocalFiles):
    """Files whose writer may die at any write."""

    def __init__(self, root: Path, secret: bytes, executioner: Executioner) -> None:
        super().__init__(root, secret)
        self._executioner = executioner

    def put(self, key: str, body: bytes, content_type: str, cache_control: str) -> str:
        """Write, unless the writer dies."""
        self._executioner.before()
        tag = super().put(key, body, content_type, cache_control)
        self._executioner.after()
        return tag

    def put_if_match(self, key: str, body: bytes, etag: str | None, content_type: str, cache_control: str) -> str:
        """Write, unless the writer dies."""
        self._executioner.before()
        tag = super().put_if_match(key, body, etag, content_type, cache_control)
        self._executioner.after()
        return tag
