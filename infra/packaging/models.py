"""Botocore's service models without their documentation: four fifths of them, read and parsed at every cold start."""

from __future__ import annotations

import gzip
import json
from typing import Any

SUFFIX = "service-2.json.gz"


def trimmed(name: str, content: bytes) -> bytes:
    """A service model without prose; every other file as it is."""
    if not (name.startswith("botocore/data/") and name.endswith(SUFFIX)):
        return content
    model = _without_documentation(json.loads(gzip.decompress(content)))
    return gzip.compress(json.dumps(model, separators=(",", ":")).encode(), 9, mtime=0)


def _without_documentation(value: Any) -> Any:
    """Prose is text under ``documentation``; a shape or member may be called so, but then it is no text."""
    if isinstance(value, dict):
        return {
            name: _without_documentation(inner)
            for name, inner in value.items()
            if not (name == "documentation" and isinstance(inner, str))
        }
    return [_without_documentation(inner) for inner in value] if isinstance(value, list) else value
