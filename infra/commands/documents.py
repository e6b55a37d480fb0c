"""`standings`, `pair`, `check FILE`, `replay`: questions about an event document, answered by `chalicelib.rules`.

They run in the calling interpreter and need nothing installed, so they start at once. The one exception is `pair`:
some pairings need rustworkx, so it prefers the virtual environment, and makes one when rustworkx turns out missing.
"""

import io
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module

from infra.launcher.environment import clean
from infra.launcher.errors import SetupError
from infra.launcher.paths import ROOT, VENV_PYTHON, inside_venv

_MATCHING_LIBRARY = "rustworkx"


def run(arguments: Sequence[str]) -> int:
    """Answer one question, for instance `["standings", "event.json"]`; returns the exit status."""
    if arguments[0] == "pair":
        return _pair(arguments)
    return _answer(arguments, sys.stdin.buffer.read() if "-" in arguments else b"")


def _pair(arguments: Sequence[str]) -> int:
    # Read once: a second try under another interpreter must see the same document.
    document = sys.stdin.buffer.read() if "-" in arguments else b""
    if VENV_PYTHON.exists() and not inside_venv():
        return _in_venv(arguments, document)
    try:
        return _answer(arguments, document)
    except ModuleNotFoundError as missing:
        if missing.name != _MATCHING_LIBRARY:
            raise
    from infra.launcher.main import prepare

    try:
        prepare("requirements-local.txt", pages=False)
    except SetupError as error:
        print(f"guanjun: {error}", file=sys.stderr)
        return 1
    return _in_venv(arguments, document)


def _in_venv(arguments: Sequence[str], document: bytes) -> int:
    words = [str(VENV_PYTHON), str(ROOT / "guanjun"), *arguments]
    return subprocess.run(words, input=document, env=clean(), check=False).returncode


def _answer(arguments: Sequence[str], document: bytes) -> int:
    answer = import_module("chalicelib.rules.command_line").run
    output = io.StringIO()
    status = int(answer(list(arguments), io.StringIO(document.decode()), output, sys.stderr))
    sys.stdout.buffer.write(output.getvalue().encode())
    sys.stdout.flush()
    return status
