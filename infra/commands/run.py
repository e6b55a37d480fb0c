"""`guanjun run`: serve the product on this machine. HOST, PORT, DATA and DYNAMODB_ENDPOINT_URL say how."""

import os

from infra.launcher.paths import ROOT
from infra.local.runner import main


def run(_arguments: list[str]) -> int:
    """Serves until interrupted; returns the exit status."""
    # The working copy's own directory, wherever the command was given: data must not depend on a `cd`.
    os.environ.setdefault("DATA", str(ROOT / "data"))
    return main()
