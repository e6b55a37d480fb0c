"""`guanjun restore FILE --owner PHONE [--stage STAGE]`: a new event from an exported document or a kept copy."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from chalicelib.rules.faults import DocumentFaults
from chalicelib.services.problems import Problem
from infra.commands.worlds import world_of


def run(arguments: Sequence[str]) -> int:
    """Returns 0 when the event is there, 1 for a document of which none can be made, 2 for an owner nobody knows.

    Raises SetupError for a stage that is not deployed.
    """
    parser = argparse.ArgumentParser(
        prog="guanjun restore", description="A new event from a document, with its standings."
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="an event document (.json), or a kept copy (.json.gz)")
    parser.add_argument(
        "--owner", metavar="PHONE", required=True, help="whose event it will be; must have signed in once"
    )
    parser.add_argument("--stage", help="a deployed stage; without it the data of this machine")
    given = parser.parse_args(arguments)
    try:
        document = given.file.read_bytes()
    except OSError as error:
        print(f"guanjun restore: {given.file} cannot be read: {error.strerror}", file=sys.stderr)
        return 1
    with world_of(given.stage) as world:
        from chalicelib.services.accounts import owner_of
        from chalicelib.services.phones import normalise
        from chalicelib.services.restoration import NotRestorable, restore

        try:
            account = owner_of(world, normalise(given.owner))
            if account is None:
                print(f"guanjun restore: nobody has signed in with {given.owner} yet", file=sys.stderr)
                return 2
            event_id = restore(world, account, document)
        except DocumentFaults as faults:
            print("\n".join(fault.line() for fault in faults.faults), file=sys.stderr)
            return 1
        except NotRestorable as reason:
            print(f"guanjun restore: {reason}", file=sys.stderr)
            return 1
        except Problem as problem:
            print(f"guanjun restore: {problem.sentence('zh')} {problem.sentence('en')}", file=sys.stderr)
            return 1
    print(f"restored as event {event_id}; its links are new. 已恢复，链接已更新。")
    return 0
