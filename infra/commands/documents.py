"""`standings`, `pair`, `check`, `replay FILE`: questions about an event document or log, answered by `rules`.

They run in the calling interpreter and need nothing installed, so they start at once. The one exception is `pair`:
some pairings need rustworkx, so it prefers the virtual environment, and makes one when rustworkx turns out missing.
"""

import io
import os
import subprocess
import sys
from collections.abc import Sequence

from infra.launcher.environment import clean
from infra.launcher.errors import SetupError
from infra.launcher.paths import ROOT, VENV_PYTHON, inside_venv
from infra.launcher.preparing import prepare

_MATCHING_LIBRARY = "rustworkx"
# Set for the second try of `pair`, so that a library that cannot be installed does not make it try for ever.
_SECOND_TRY = "GUANJUN_PAIR_SECOND_TRY"


def run(arguments: Sequence[str]) -> int:
    """Answer one question, for instance `["standings", "event.json"]`; returns the exit status."""
    # Read once: a second try under another interpreter must see the same document.
    # Nobody may have opened standard input (`<&-`): that is a document without a word in it.
    document = sys.stdin.buffer.read() if "-" in arguments and sys.stdin is not None else b""
    try:
        return _pair(arguments, document) if arguments[0] == "pair" else _answer(arguments, document)
    except BrokenPipeError:
        # The reader has seen enough (`| head`).
        _forget_output()
        return 0


def _pair(arguments: Sequence[str], document: bytes) -> int:
    if VENV_PYTHON.exists() and not inside_venv():
        return _in_venv(arguments, document)
    try:
        return _answer(arguments, document)
    except ModuleNotFoundError as missing:
        if missing.name != _MATCHING_LIBRARY or _SECOND_TRY in os.environ:
            raise
    try:
        prepare("requirements-local.txt", pages=False)
    except SetupError as error:
        print(f"guanjun: {error}", file=sys.stderr)
        return 1
    return _in_venv(arguments, document, {_SECOND_TRY: "1"})


def _in_venv(arguments: Sequence[str], document: bytes, more: dict[str, str] | None = None) -> int:
    words = [str(VENV_PYTHON), str(ROOT / "guanjun"), *arguments]
    return subprocess.run(words, input=document, env=clean(more), check=False).returncode


def _answer(arguments: Sequence[str], document: bytes) -> int:
    from chalicelib.rules.command_line import run as answer

    output, errors = io.StringIO(), io.StringIO()
    status = answer(arguments, io.BytesIO(document), output, errors)
    # UTF-8 whatever code page the terminal of a Windows machine has.
    for stream, text in ((sys.stdout, output), (sys.stderr, errors)):
        if stream is None:  # closed by the caller (`>&-`), who wants the exit status alone
            continue
        try:
            stream.buffer.write(text.getvalue().encode())
            stream.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            _forget_output()
            print(f"guanjun: the answer cannot be written: {error.strerror}", file=sys.stderr)
            return 1
    return status


def _forget_output() -> None:
    """Drop what could not be written, so that Python says nothing about it while it shuts down."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
