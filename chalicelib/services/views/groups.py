"""The groups of a round robin as the API answers them."""

from __future__ import annotations

import msgspec

from chalicelib.services.views.rounds import SeatedEntry


class Group(msgspec.Struct, frozen=True):
    """One group and who plays in it, by entry number."""

    name: str
    entries: list[SeatedEntry]


class Groups(msgspec.Struct, frozen=True):
    """All groups by name; empty where the event is one field."""

    groups: list[Group]
