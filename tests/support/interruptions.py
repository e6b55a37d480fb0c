"""A process that dies in the middle: at any request to the store or write of a file, before it or after it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from infra.local.engine import Engine
from infra.local.files import LocalFiles
from tests.support.tables import create_tables
from tests.support.world import SECRET, FakeClock, Outbox, SeededRandomness, TestWorld


class Killed(BaseException):
    """The process is gone; nothing catches this."""


class Executioner:
    """Counts writes and kills the process at one of them, or lets somebody else act just before it."""

    def __init__(self) -> None:
        self.writes = 0
        self._at: int | None = None
        self._after = False
        self._act: Callable[[], object] | None = None

    def kill_at(self, write: int | None, *, after: bool = False) -> None:
        """Die at that write from now on (0 is the next), before it happens or right after; None: live."""
        self.writes, self._at, self._after, self._act = 0, write, after, None

    def call_at(self, write: int, act: Callable[[], object]) -> None:
        """Let somebody else act right before that write (0 is the next); what he writes is not counted."""
        self.writes, self._at, self._after, self._act = 0, write, False, act

    def before(self) -> None:
        """A write is about to happen."""
        if self._act is not None and self._at == self.writes:
            act, writes = self._act, self.writes
            self._at = self._act = None
            act()
            self.writes = writes
        elif self._at == self.writes and not self._after:
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


class Stage:
    """A fresh hall whose processes can be killed."""

    def __init__(self, path: Path) -> None:
        self.executioner = Executioner()
        self.engine = MortalEngine(path / "store.sqlite", self.executioner)
        create_tables(self.engine)
        time, outbox = FakeClock(), Outbox()
        self.world = TestWorld(
            secret=SECRET,
            files=MortalFiles(path / "files", SECRET, self.executioner),
            sms=outbox,
            clock=time,
            random=SeededRandomness(),
            sleep=lambda seconds: None,
            time=time,
            outbox=outbox,
        )
