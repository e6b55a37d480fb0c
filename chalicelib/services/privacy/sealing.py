"""Names and phones of an encrypted event: sealed for whoever holds the digits, numbers in the clear for everybody else.

What is stored of such an entry reads like any other, so everything that ranks, draws and shows works unchanged: the
entry is called ``#12``, its players ``#12-1`` and ``#12-2``, they have no phone, and the 团体 is an opaque id. Beside
each stands a sealed box with what was typed. Every view of names goes through :func:`readable`.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections.abc import Iterable
from typing import Any

import msgspec

from chalicelib.services import phones
from chalicelib.services.names import comparable
from chalicelib.services.privacy.keys import EventKeys, OpenKey, keys_of
from chalicelib.services.problems import Problem
from chalicelib.services.world import World
from chalicelib.store.entries import StoredEntry, StoredPlayer
from chalicelib.store.events import EventHeader
from chalicelib.store.tables import whole

_CLUB_ID = re.compile(r"T-[A-Z2-7]{8}")


def number_of(number: int) -> str:
    """How an entry is called where its name is nobody's business."""
    return f"#{number}"


def player_number(number: int, player: int) -> str:
    """The same of its player at index ``player``."""
    return f"#{number}-{player + 1}"


def club_id(world: World, event_id: str, club: str) -> str:
    """The opaque id that stands for a 团体: the same for every spelling of its name; empty stays empty."""
    club = club.strip()
    if not club or _CLUB_ID.fullmatch(club):
        return club
    text = f"club\n{event_id}\n{comparable(club)}".encode()
    digest = hmac.new(world.secret, text, hashlib.sha256).digest()
    return f"T-{base64.b32encode(digest[:5]).decode()}"


def club_ids(world: World, header: EventHeader, clubs: Iterable[str]) -> list[str]:
    """An event's list of 团体 as it is stored: ids, once each, if the event is encrypted."""
    if header.sealing is None:
        return list(clubs)
    return list(dict.fromkeys(club_id(world, header.event_id, club) for club in clubs))


def stored_form(world: World, header: EventHeader, entry: StoredEntry) -> StoredEntry:
    """The entry (names and phones as typed) as it is stored: itself, unless the event is encrypted.

    Players that are sealed already keep their boxes, and so does a team that is still called by its number: who has no
    digits can change one player and leave the others as they are. Everybody who is written down passes here, so this
    is where an event whose personal data were purged takes nobody in any more: raises event_purged.
    """
    if purged_for_good(header) and not names_nobody(entry):
        raise Problem("event_purged")
    keys = keys_of(header)
    return entry if keys is None else sealed_form(world, header.event_id, keys, entry)


def purged_for_good(header: EventHeader) -> bool:
    """Whether the event's date for personal data has come and no later one was set since: nobody would ever take away
    what was written down now."""
    at, until = whole(header.purged_at), header.settings.get("purge_at")
    return at is not None and (until is None or int(until) <= at)


def names_nobody(entry: StoredEntry) -> bool:
    """Whether an entry and its players are called by their numbers only."""
    numbers = [player_number(entry.number, index) for index in range(len(entry.players))]
    plain = [player.name for player in entry.players] == numbers and entry.name in ("", number_of(entry.number))
    return plain and not any(player.phone or player.sealed for player in entry.players)


def sealed_form(world: World, event_id: str, keys: EventKeys, entry: StoredEntry) -> StoredEntry:
    """The entry under ``keys``."""
    called = number_of(entry.number)
    sealed_name, sealed_club = entry.sealed_name, entry.sealed_club
    if entry.name != called:
        sealed_name = _box(keys, entry.name) if entry.name else None
    club = club_id(world, event_id, entry.club)
    if club != entry.club or not club:
        sealed_club = _box(keys, entry.club) if club else None
    players = [
        _sealed_player(world, event_id, keys, player, player_number(entry.number, index))
        for index, player in enumerate(entry.players)
    ]
    substitutions = tuple(
        msgspec.structs.replace(
            each,
            gone=_sealed_player(world, event_id, keys, each.gone, player_number(entry.number, each.player)),
        )
        for each in entry.substitutions
    )
    return msgspec.structs.replace(
        entry,
        name=called,
        club=club,
        players=players,
        sealed_name=sealed_name,
        sealed_club=sealed_club,
        substitutions=substitutions,
    )


def _sealed_player(world: World, event_id: str, keys: EventKeys, player: StoredPlayer, called: str) -> StoredPlayer:
    if player.sealed:
        return msgspec.structs.replace(player, name=called)
    found_by = phones.index_in(world, event_id, player.phone) if player.phone else ""
    return StoredPlayer(player.person, called, "", found_by, _box(keys, [player.name, player.phone]))


def readable(entries: Iterable[StoredEntry], key: OpenKey | None) -> list[StoredEntry]:
    """The entries with names and phones as far as ``key`` opens them; None leaves them as they are stored.

    A box of an earlier generation stays shut: its key is lost.
    """
    return list(entries) if key is None else [_opened(entry, key) for entry in entries]


def _opened(entry: StoredEntry, key: OpenKey) -> StoredEntry:
    players = [_opened_player(player, key) for player in entry.players]
    substitutions = tuple(
        msgspec.structs.replace(each, gone=_opened_player(each.gone, key)) for each in entry.substitutions
    )
    name, club = _content(entry.sealed_name, key), _content(entry.sealed_club, key)
    sealed = any(player.sealed for player in entry.players)
    if name is None:
        name = "" if sealed and entry.sealed_name is None else entry.name
    return msgspec.structs.replace(
        entry,
        name=name,
        club=entry.club if club is None else club,
        players=players,
        substitutions=substitutions,
    )


def _opened_player(player: StoredPlayer, key: OpenKey) -> StoredPlayer:
    content = _content(player.sealed, key)
    return player if content is None else StoredPlayer(player.person, content[0], content[1])


def sealed_bytes(keys: EventKeys, data: bytes) -> bytes:
    """A file, or whatever else a job keeps, for whoever holds the digits."""
    from nacl.public import PublicKey, SealedBox

    return b"%d:" % keys.generation + SealedBox(PublicKey(base64.b64decode(keys.public))).encrypt(data)


def opened_bytes(sealed: bytes, key: OpenKey) -> bytes | None:
    """What :func:`sealed_bytes` sealed; None if it is no such thing, or was sealed to a key that is lost."""
    from nacl.exceptions import CryptoError
    from nacl.public import SealedBox

    generation, _, box = sealed.partition(b":")
    if generation != b"%d" % key.generation:
        return None
    try:
        opened: bytes = SealedBox(key.private).decrypt(box)
    except CryptoError:
        return None
    return opened


def _box(keys: EventKeys, content: Any) -> str:
    from nacl.public import PublicKey, SealedBox

    box = SealedBox(PublicKey(base64.b64decode(keys.public))).encrypt(msgspec.json.encode(content))
    return f"{keys.generation}:{base64.b64encode(box).decode()}"


def _content(sealed: str | None, key: OpenKey) -> Any:
    """What a box holds; None if there is none, or it was sealed to a key that is lost."""
    from nacl.public import SealedBox

    generation, _, box = (sealed or "").partition(":")
    if generation != str(key.generation):
        return None
    return msgspec.json.decode(SealedBox(key.private).decrypt(base64.b64decode(box)))
