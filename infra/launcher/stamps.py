"""Content stamps: a step runs again only when the content of its inputs changed.

A stamp is taken away before the step starts and written after it ended, so an interrupted step runs again.
"""

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

from infra.launcher.paths import ROOT


def digest(files: Iterable[Path], *words: str) -> str:
    """SHA-256 (hex) over names and contents of the files, and over further words such as a version.

    A file's line ends do not count, because Git on Windows may change them.
    """
    total = hashlib.sha256()
    for word in words:
        total.update(f"{word}\0".encode())
    for file in sorted(files):
        content = file.read_bytes().replace(b"\r\n", b"\n")
        total.update(f"{file.relative_to(ROOT).as_posix()}\0{len(content)}\0".encode())
        total.update(content)
    return total.hexdigest()


def is_fresh(stamp: Path, key: str) -> bool:
    """True when the stamp was written for exactly these inputs."""
    try:
        return stamp.read_text(encoding="ascii") == key
    except (FileNotFoundError, NotADirectoryError):
        return False


def withdraw(stamp: Path) -> None:
    """Take a stamp away, before its step starts."""
    stamp.unlink(missing_ok=True)


def write(stamp: Path, key: str) -> None:
    """Write a stamp in one go: nobody ever reads half of one."""
    stamp.parent.mkdir(parents=True, exist_ok=True)
    draft = stamp.with_name(f"{stamp.name}.{os.getpid()}")
    draft.write_text(key, encoding="ascii")
    draft.replace(stamp)
