"""`guanjun run`: serve the product on this machine. HOST, PORT, DATA and DYNAMODB_ENDPOINT_URL say how."""

import os
import sys

from infra.launcher.paths import ROOT
from infra.local.runner import main


def run(arguments: list[str]) -> int:
    """Serves until interrupted; returns the exit status, 2 for words it does not know."""
    if arguments:
        print("usage: [HOST=0.0.0.0] [PORT=8000] [DATA=./data] python3 guanjun run", file=sys.stderr)
        return 2
    # The working copy's own directory, wherever the command was given: data must not depend on a `cd`.
    os.environ.setdefault("DATA", str(ROOT / "data"))
    return main()
