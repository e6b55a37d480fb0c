"""The list of 团体 as the API answers it."""

from __future__ import annotations

import msgspec

from chalicelib.services.views.entries import RosterColumn, RosterFault


class ClubView(msgspec.Struct, frozen=True):
    """One 团体: name, 简称, 领队, 领队手机; "" for what is not known. ``known``: it is in the event's list already."""

    name: str
    short: str
    leader: str
    leader_phone: str
    known: bool


class ClubListView(msgspec.Struct, frozen=True):
    """The event's 团体 in their order."""

    clubs: list[ClubView]


class ClubImportReport(msgspec.Struct, frozen=True):
    """What an edited template would make of the list, or has made of it (``committed``); with faults nothing is saved.

    ``gone``: names of the list that the file does not have any more. ``names_only``: of an encrypted event only the
    names are kept, as opaque ids, and of one whose personal data were purged only the names. ``version``: of the
    event's settings after it. ``faults`` are the first of ``wrong``, ``clubs`` as many as a list can have.
    """

    committed: bool
    version: int
    rows_seen: int
    columns: list[RosterColumn]
    clubs: list[ClubView]
    gone: list[str]
    faults: list[RosterFault]
    names_only: bool
    wrong: int
