"""Serve the product on this machine: ``serve()`` for the launcher, ``running()`` for tests and benchmarks."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infra.local.addresses import EVERYWHERE, banner, url
from infra.local.engine import Faults
from infra.local.http_server import Server
from infra.local.stack import Stack, build_stack, load_product

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8000
DEFAULT_DATA = "data"


@dataclass(frozen=True)
class Settings:
    """Where to listen and where to keep what is stored."""

    host: str
    port: int
    data: Path
    faults: Faults | None = None
    tables_at_once: int | None = None


def read_settings(environment: Mapping[str, str]) -> Settings:
    """HOST (127.0.0.1; 0.0.0.0 for a hall), PORT (8000; 0 takes a free one), DATA (./data).

    FAULTS ("seed:rate", for tests) lets the store misbehave at random, each kind of fault at that rate; TABLES_AT_ONCE
    (for tests) makes rounds of more tables large. Raises ``ValueError``.
    """
    port = environment.get("PORT") or str(DEFAULT_PORT)
    if not port.isdecimal() or int(port) > 65535:
        raise ValueError(f"PORT must be a number from 0 to 65535, not {port!r}")
    data = Path(environment.get("DATA") or DEFAULT_DATA).resolve()
    faults = None
    if environment.get("FAULTS"):
        seed, _, rate = environment["FAULTS"].partition(":")
        faults = Faults.every(int(seed), float(rate))
    many = environment.get("TABLES_AT_ONCE")
    return Settings(environment.get("HOST") or DEFAULT_HOST, int(port), data, faults, int(many) if many else None)


@dataclass(frozen=True)
class Running:
    """A stack that answers at ``url``."""

    url: str
    stack: Stack


@contextmanager
def running(
    data: Path,
    load_app: Callable[[], Any] = load_product,
    *,
    host: str = DEFAULT_HOST,
    port: int = 0,
    **choices: Any,
) -> Iterator[Running]:
    """Serve in threads for a block; ``choices`` are those of :func:`build_stack`."""
    stack = build_stack(data, load_app, **choices)
    try:
        server = Server(host, port, stack.site)
    except OSError:
        stack.stop()
        raise
    thread = threading.Thread(target=server.serve_forever, args=(0.1,), name="http", daemon=True)
    stack.start_workers()
    thread.start()
    try:
        yield Running(f"http://{host}:{server.server_address[1]}", stack)
    finally:
        server.shutdown()
        server.server_close()
        stack.stop()


def serve(
    host: str = DEFAULT_HOST,
    port: int = DEFAULT_PORT,
    data: Path = Path(DEFAULT_DATA),
    load_app: Callable[[], Any] = load_product,
    faults: Faults | None = None,
    tables_at_once: int | None = None,
    greet: Callable[[str], str] | None = None,
) -> int:
    """Serve until interrupted; returns the exit status. ``greet`` may act once the product answers at an address (it
    gets it, with a slash at its end) and says what is printed after it."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    try:
        with running(data, load_app, host=host, port=port, faults=faults, tables_at_once=tables_at_once) as server:
            actual = int(server.url.rsplit(":", 1)[1])
            print(banner(host, actual), flush=True)
            if greet is not None:
                print(greet(url("127.0.0.1" if host in EVERYWHERE else host, actual)), flush=True)
            # A timeout, because on Windows an endless wait does not notice Ctrl-C.
            while not stop.wait(1.0):
                continue
    except OSError as error:
        print(f"guanjun: {host}:{port} cannot be used: {error.strerror}", file=sys.stderr)
        return 1
    return 0


def main() -> int:
    """``python -m infra.local.runner``: serve with the settings of the environment."""
    try:
        settings = read_settings(os.environ)
    except ValueError as error:
        print(f"guanjun: {error}", file=sys.stderr)
        return 2
    return serve(
        settings.host, settings.port, settings.data, faults=settings.faults, tables_at_once=settings.tables_at_once
    )


if __name__ == "__main__":
    sys.exit(main())
