"""`guanjun bundle`: everything for a hall without internet in one archive."""

import argparse
from collections.abc import Sequence

from infra.launcher.paths import ROOT
from infra.packaging.bundle import MACHINES, PYTHONS, Interpreter, build_bundle


def run(arguments: Sequence[str]) -> int:
    """Returns 0 when the archive is complete. Raises SetupError when a wheel cannot be had."""
    parser = argparse.ArgumentParser(prog="guanjun bundle", description=__doc__)
    parser.add_argument(
        "--machine",
        action="append",
        choices=[*MACHINES, "all"],
        help="for which machines, more than once if you like (default: this one)",
    )
    parser.add_argument(
        "--python", action="append", choices=PYTHONS, help="for which versions of Python (default: all, or this one)"
    )
    given = parser.parse_args(arguments)
    archive = build_bundle(_interpreters(given.machine, given.python))
    print(f"{archive.relative_to(ROOT)}  {archive.stat().st_size / 1e6:.0f} MB")
    print("unpack it there, then: cd guanjun && HOST=0.0.0.0 python3 guanjun run")
    return 0


def _interpreters(machines: list[str] | None, pythons: list[str] | None) -> list[Interpreter]:
    """Each machine with each version; without any word, this machine with the Python that runs this.

    >>> [str(one) for one in _interpreters(["mac"], ["3.12", "3.13"])]
    ['mac, Python 3.12', 'mac, Python 3.13']
    >>> _interpreters(None, None) == [Interpreter()]
    True
    """
    if machines is None:
        return [Interpreter(python=version) for version in pythons] if pythons else [Interpreter()]
    chosen = MACHINES if "all" in machines else machines
    return [Interpreter(machine, version) for machine in chosen for version in pythons or PYTHONS]
