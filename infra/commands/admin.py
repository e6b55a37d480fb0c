"""`guanjun admin PHONE`: make somebody an administrator of the platform, in the data of this machine."""

import os
import sys
from collections.abc import Sequence

from chalicelib.services.problems import Problem
from infra.launcher.paths import ROOT
from infra.local.runner import read_settings
from infra.local.stack import build_stack


def run(arguments: Sequence[str]) -> int:
    """Returns 0 when it is done (again: changes nothing), 2 for a phone that is none.

    Works beside a running server: both use the same store.
    """
    if len(arguments) != 1:
        print("usage: guanjun admin PHONE", file=sys.stderr)
        return 2
    os.environ.setdefault("DATA", str(ROOT / "data"))
    stack = build_stack(read_settings(os.environ).data)
    # The program reads the names of its tables when it is imported, so not before the stack is there.
    from chalicelib.services.accounts import make_administrator
    from chalicelib.services.world import current

    try:
        make_administrator(current(), arguments[0])
    except Problem as problem:
        print(f"guanjun admin: {problem.sentence('zh')} {problem.sentence('en')}", file=sys.stderr)
        return 2
    finally:
        stack.stop()
    print(f"{arguments[0]} is an administrator now; sign in with this phone. 已设为平台管理员。")
    return 0
