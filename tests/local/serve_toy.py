"""A process that serves the toy application until it is killed: ``python -m tests.local.serve_toy DIRECTORY``."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

from infra.local.runner import running
from tests.local.toy_app import make_toy, write_templates


def main() -> None:
    directory = Path(sys.argv[1])
    choices = write_templates(directory)
    with running(directory / "data", lambda: make_toy().app, **choices) as server:
        print(server.url, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
