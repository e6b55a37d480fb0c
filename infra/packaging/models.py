"""Botocore's service models without their documentation: four fifths of them, read and parsed at every cold start."""

from __future__ import annotations

import gzip
import json
from typing import Any

SUFFIX = "service-2.json.gz"
_READ_WHOLE = ("clientContextParams",)
"""Where botocore demands the prose itself, when it looks for the address of a request."""


def trimmed(name: str, content: bytes) -> bytes:
    """A service model without prose; every other file as it is."""
    if not (name.startswith("botocore/data/") and name.endswith(SUFFIX)):
        return content
    whole = json.loads(gzip.decompress(content))
    model = {**_without_documentation(whole), **{name: whole[name] for name in _READ_WHOLE if name in whole}}
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
