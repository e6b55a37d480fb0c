"""One preparation at a time: two starts at once must not install into each other."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from infra.launcher.environment import tell

if sys.platform == "win32":
    import msvcrt

    def _try_lock(file: BinaryIO) -> bool:
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _try_lock(file: BinaryIO) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


@contextmanager
def only_one(path: Path) -> Iterator[None]:
    """Hold the lock file; wait for whoever holds it. The system lets go of it when a holder dies."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as file:
        waited = False
        while not _try_lock(file):
            if not waited:
                tell("another start is preparing this working copy, waiting for it")
                waited = True
            time.sleep(0.1)
        yield
