"""Long text as an item keeps it: DynamoDB takes 400 KB an item, and JSON of many lines compresses well."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

from pynamodb.attributes import Attribute
from pynamodb.constants import STRING

LONG = 50_000
"""Characters above which text is kept compressed: a national round or roster has a megabyte."""
COMPRESSED = "zlib:"


def kept(text: str) -> str:
    """``text`` as it is stored. It must not begin with :data:`COMPRESSED`, as no JSON does."""
    return text if len(text) <= LONG else COMPRESSED + base64.b85encode(zlib.compress(text.encode(), 6)).decode()


def given_again(stored: str) -> str:
    """What :func:`kept` stored."""
    if not stored.startswith(COMPRESSED):
        return stored
    return zlib.decompress(base64.b85decode(stored.removeprefix(COMPRESSED))).decode()


class LongJSON(Attribute[Any]):
    """JSON as short as it can be written; compressed where it is long. What PynamoDB's own attribute wrote can be
    read: that spends six bytes on a Chinese character."""

    attr_type = STRING

    def serialize(self, value: Any) -> str | None:
        return None if value is None else kept(json.dumps(value, ensure_ascii=False, separators=(",", ":")))

    def deserialize(self, value: str) -> Any:
        return json.loads(given_again(value))
