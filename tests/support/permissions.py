"""What the functions' policies allow, against what the functions were seen doing on the local engine.

Nothing on this machine evaluates IAM. But every request to the engine carries the function that made it, so each test
that calls a route or a worker also shows whether the function would have been let.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache

from infra.launcher.paths import ROOT
from infra.local.engine.recorder import Access
from infra.local.tables import table_name

_TABLE = re.compile(r":table/\$\{Table(\w+)\}(?:/index/(\w+))?$")

Right = tuple[str, str, str | None]
"""An action such as `dynamodb:GetItem`, the local name of a table, and the index or None."""


@cache
def rights() -> dict[str, frozenset[Right]]:
    """What each function may do to which table, from `.chalice/policy-<function>.json`."""
    found = {}
    for file in sorted((ROOT / ".chalice").glob("policy-*.json")):
        allowed: set[Right] = set()
        for statement in json.loads(file.read_text(encoding="utf-8"))["Statement"]:
            for resource in statement.get("Resource", []):
                named = _TABLE.search(resource.get("Fn::Sub", "")) if isinstance(resource, dict) else None
                if named:
                    allowed |= {(action, table_name(named[1]), named[2]) for action in statement["Action"]}
        found[file.stem.removeprefix("policy-")] = frozenset(allowed)
    return found


def not_allowed(seen: Iterable[Access]) -> list[str]:
    """Every access of a deployed function that its policy does not allow, as `function: action on table`."""
    refused = set()
    for access in seen:
        function = access.caller.partition(" ")[0]
        right = (f"dynamodb:{access.action}", access.table, access.index)
        if function in rights() and right not in rights()[function]:
            place = f"{access.table}/{access.index}" if access.index else access.table
            refused.add(f"{function}: dynamodb:{access.action} on {place}")
    return sorted(refused)
