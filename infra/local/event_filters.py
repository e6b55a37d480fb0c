"""Filter patterns of event sources (EventBridge's pattern language, the part a stream filter needs)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

Pattern = Mapping[str, Any]


def read_patterns(criteria: Mapping[str, Any] | None) -> tuple[Pattern, ...]:
    """The patterns of a ``FilterCriteria`` property; empty means everything passes. Checks them as well."""
    patterns = tuple(msgspec.json.decode(entry["Pattern"]) for entry in (criteria or {}).get("Filters", ()))
    for pattern in patterns:
        passes((pattern,), {})
    return patterns


def passes(patterns: Sequence[Pattern], record: Mapping[str, Any]) -> bool:
    """Whether a record matches one of the patterns (or there is none)."""
    return not patterns or any(_matches(pattern, record) for pattern in patterns)


def _matches(pattern: Pattern, value: Any) -> bool:
    # No short cut: every rule is looked at, so that a wrong one is found when it is read.
    results = []
    for name, wanted in pattern.items():
        inner = value.get(name) if isinstance(value, Mapping) else None
        if isinstance(wanted, Mapping):
            results.append(_matches(wanted, inner))
        else:
            results.append(_any_rule(wanted, inner))
    return all(results)


def _any_rule(rules: Sequence[Any], value: Any) -> bool:
    values = value if isinstance(value, list) else [value]
    results = [_rule(rule, one) for rule in rules for one in values]
    return any(results)


def _rule(rule: Any, value: Any) -> bool:
    if not isinstance(rule, Mapping):
        return type(rule) is type(value) and bool(rule == value)
    ((kind, wanted),) = rule.items()
    match kind:
        case "exists":
            return bool((value is not None) == wanted)
        case "prefix":
            return isinstance(value, str) and value.startswith(wanted)
        case "anything-but":
            return value is not None and value not in (wanted if isinstance(wanted, list) else [wanted])
    raise ValueError(f"the local stack does not know the filter {kind!r}")
