"""Which word of the command line needs what, and where it runs."""

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module

from infra.launcher.errors import SetupError
from infra.launcher.paths import ROOT, VENV_PYTHON, inside_venv
from infra.launcher.preparing import prepare

_PREPARED = "GUANJUN_PREPARED"
_DOCUMENT_WORDS = ("standings", "pair", "replay")


@dataclass(frozen=True)
class Command:
    """One word: the module whose `run(arguments) -> exit status` does it, and what it needs beforehand."""

    module: str
    requirements: str
    pages: bool
    help: str


COMMANDS = {
    "run": Command("infra.commands.run", "requirements-local.txt", True, "serve the product on this machine 本机运行"),
    "demo": Command(
        "infra.commands.demo",
        "requirements-local.txt",
        True,
        "[--kind K] [--entries N] [--rounds R] [--seconds S]: robots play an event 演示",
    ),
    "test": Command(
        "infra.commands.test", "requirements-dev.txt", False, "install what is needed and run every test [--full]"
    ),
    "check": Command("infra.commands.check", "requirements-dev.txt", False, "lint, types and unit tests"),
    "bench": Command(
        "infra.commands.bench", "requirements-dev.txt", True, "measure speed and size, write build/bench.json"
    ),
    "simulate": Command(
        "infra.commands.simulate",
        "requirements-local.txt",
        False,
        "[--players N] [--rounds R]: a day in virtual time, its cost sheet 模拟",
    ),
    "package": Command(
        "infra.commands.package", "requirements-local.txt", False, "build what AWS runs, in build/package"
    ),
    "bundle": Command(
        "infra.commands.bundle",
        "requirements-local.txt",
        True,
        "[--machine M] [--python V]: one archive for a hall without internet 离线包",
    ),
    "openapi": Command(
        "infra.commands.openapi", "requirements-local.txt", False, "write web/openapi.json and its types"
    ),
    "roster": Command(
        "infra.commands.roster", "requirements-local.txt", False, "FILE: what an import would take 名单检查"
    ),
    "admin": Command(
        "infra.commands.admin", "requirements-local.txt", False, "PHONE [--stage STAGE]: make a platform administrator"
    ),
    "restore": Command(
        "infra.commands.restore", "requirements-local.txt", False, "FILE --owner PHONE [--stage STAGE]: an event 恢复"
    ),
    "deploy": Command(
        "infra.commands.deploy", "requirements-local.txt", True, "STAGE [--dry-run]: bring it up in AWS, or up to date"
    ),
    "destroy": Command("infra.commands.destroy", "requirements-local.txt", False, "STAGE: take it down; tables stay"),
    "status": Command("infra.commands.status", "requirements-local.txt", False, "STAGE: how it is"),
}


def main(arguments: Sequence[str]) -> int:
    """Run one command; returns the exit status. Never raises for something a person can mend."""
    word, rest = (arguments[0], list(arguments[1:])) if arguments else ("help", [])
    if word in ("help", "-h", "--help"):
        print(_usage())
        return 0
    if word in _DOCUMENT_WORDS or (word == "check" and rest):
        from infra.commands.documents import run as run_documents

        return run_documents([word, *rest])
    command = COMMANDS.get(word)
    if command is None:
        print(f"guanjun: unknown command {word!r}\n\n{_usage()}", file=sys.stderr)
        return 2
    try:
        if not _is_prepared():
            prepare(command.requirements, pages=command.pages)
            if not inside_venv():
                return enter_venv([word, *rest])
        return run_command([word, *rest])
    except SetupError as error:
        print(f"guanjun: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def run_command(arguments: Sequence[str]) -> int:
    """Run one of COMMANDS where everything it needs is installed already; returns the exit status."""
    try:
        return int(import_module(COMMANDS[arguments[0]].module).run(list(arguments[1:])))
    except SetupError as error:
        print(f"guanjun: {error}", file=sys.stderr)
        return 1


def enter_venv(arguments: Sequence[str]) -> int:
    """Run this launcher again under the environment's Python, in the caller's directory.

    On POSIX this process becomes that one, so that signals and process ids stay what the caller knows.
    """
    from infra.launcher.environment import clean

    words = [str(VENV_PYTHON), str(ROOT / "guanjun"), *arguments]
    environment = clean({_PREPARED: str(os.getpid())})
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name != "nt":
        os.execve(words[0], words, environment)
    return subprocess.run(words, env=environment, check=False).returncode


def _is_prepared() -> bool:
    """Whether this process is the one that `enter_venv` started; the mark is not handed on to children."""
    mark = os.environ.pop(_PREPARED, None)
    return inside_venv() and mark in (str(os.getpid()), str(os.getppid()))


def _usage() -> str:
    rows = {f"{word}": command.help for word, command in COMMANDS.items()}
    rows |= {
        "standings": "FILE: the ranking of an event document 排名",
        "pair": "FILE: its next round 编排下一轮",
        "replay": "FILE: the ranking rebuilt from an audit log 由日志重建排名",
        "check FILE": "whether the document is sound and every invariant holds",
    }
    lines = [f"  {word:<11} {text}" for word, text in rows.items()]
    return "\n".join(["usage: python3 guanjun COMMAND [...]", *lines])
