"""The product in a process of its own, started by the command that people use."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from infra.launcher.environment import clean
from infra.launcher.paths import ROOT
from infra.local.stack import SWITCHES

_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")


@dataclass(frozen=True)
class Product:
    """A running server: its address, its data, where it writes what went wrong, and its process."""

    url: str
    data: Path
    log: Path
    process: subprocess.Popen[bytes]

    @contextmanager
    def switched_off(self, function: str) -> Iterator[None]:
        """For a block this function gets nothing of what is written meanwhile; afterwards all of it."""
        switch = self.data / SWITCHES / function
        switch.parent.mkdir(exist_ok=True)
        switch.touch()
        try:
            yield
        finally:
            switch.unlink()

    def kill(self) -> None:
        """End it as a power cut would: no handler runs, nothing is flushed."""
        self.process.kill()
        self.process.wait()


@contextmanager
def serving(data: Path, faults: str = "", port: int = 0, tables_at_once: int | None = None) -> Iterator[Product]:
    """`python3 guanjun run` on a free port (or this one) for a block; pages are built first if they have changed.

    `faults` ("seed:rate") lets the store misbehave at random; with `tables_at_once` small rounds are large.
    """
    log = data.parent / f"{data.name}.log"
    settings = {"HOST": "127.0.0.1", "PORT": str(port), "DATA": str(data), "FAULTS": faults}
    if tables_at_once is not None:
        settings["TABLES_AT_ONCE"] = str(tables_at_once)
    with log.open("wb") as errors:
        process = subprocess.Popen(
            [sys.executable, str(ROOT / "guanjun"), "run"],
            env=clean(settings),
            stdout=subprocess.PIPE,
            stderr=errors,
            stdin=subprocess.DEVNULL,
        )
        try:
            assert process.stdout is not None
            # The address is the first line; a server that cannot start ends, and so does its output.
            found = _ADDRESS.search(process.stdout.readline().decode("utf-8"))
            assert found is not None, f"no server: {log.read_text(encoding='utf-8')}"
            yield Product(found[0], data, log, process)
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
