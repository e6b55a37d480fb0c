"""`guanjun admin PHONE [--stage STAGE]`: make somebody an administrator of the platform, here or in AWS."""

import argparse
import sys
from collections.abc import Sequence

from chalicelib.services.problems import Problem
from infra.commands.worlds import world_of


def run(arguments: Sequence[str]) -> int:
    """Returns 0 when it is done (again: changes nothing), 2 for a phone that is none.

    Works beside a running server: both use the same store. Raises SetupError for a stage that is not deployed.
    """
    parser = argparse.ArgumentParser(prog="guanjun admin", description="Make a platform administrator.")
    parser.add_argument("phone", metavar="PHONE")
    parser.add_argument("--stage", help="a deployed stage; without it the data of this machine")
    given = parser.parse_args(arguments)
    with world_of(given.stage) as world:
        from chalicelib.services.accounts import make_administrator

        try:
            make_administrator(world, given.phone)
        except Problem as problem:
            print(f"guanjun admin: {problem.sentence('zh')} {problem.sentence('en')}", file=sys.stderr)
            return 2
    print(f"{given.phone} is an administrator now; sign in with this phone. 已设为平台管理员。")
    return 0
