"""Pages of a version of the standings: 200 rows each, in the store for organizers and as public files for everybody.

They are written under a version nobody reads yet; the pointer makes them the standings.
"""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from chalicelib.services.pulse import CACHE_SNAPSHOT, JSON_TYPE
from chalicelib.services.standings.content import Content
from chalicelib.services.views.events import Labelled
from chalicelib.services.views.standings import Counts
from chalicelib.services.world import World
from chalicelib.store.bulk import Item, delete_items, get_items, put_items
from chalicelib.store.standings import TABLE

ROWS_PER_PAGE = 200
NUMBERS_PER_INDEX = 2000
PUBLIC_FIELDS = ("rank", "tied", "no", "name", "club", "players", "values", "moved", "group", "provisional")


class Version(msgspec.Struct, frozen=True):
    """Which pages belong together: "<ticket>-<random>", and how many pages and index chunks there are."""

    name: str
    pages: int
    indexes: int

    @property
    def number(self) -> int:
        """The ticket of the run that wrote it."""
        return int(self.name.partition("-")[0])

    def folder(self, event_id: str) -> str:
        """Where its public files stand."""
        return f"pub/{event_id}/standings/{self.name}/"

    def clubs_file(self, event_id: str) -> str:
        """Its public 团体 page."""
        return f"pub/{event_id}/clubs/{self.name}/1.json"


def page_key(version: str, page: int) -> str:
    """Sort key of a page, from 1."""
    return f"PAGE#{version}#{page:03d}"


def index_key(version: str, number: int) -> str:
    """Sort key of the index chunk that knows on which page entry ``number`` stands."""
    return f"PAGE#{version}#ON#{number // NUMBERS_PER_INDEX:03d}"


def clubs_key(version: str) -> str:
    """Sort key of the 团体 ranking."""
    return f"PAGE#{version}#CLUBS"


def version_named(name: str, content: Content) -> Version:
    """The version that will hold ``content``."""
    pages = max(1, -(-len(content.rows) // ROWS_PER_PAGE))
    highest = max((row["no"] for row in content.rows), default=0)
    return Version(name, pages, highest // NUMBERS_PER_INDEX + 1)


def write(world: World, event_id: str, version: Version, content: Content, *, public: bool = True) -> None:
    """Write all pages of a version: items first, then (if it is for the public) the files."""
    parts = [
        content.rows[first : first + ROWS_PER_PAGE] for first in range(0, max(1, len(content.rows)), ROWS_PER_PAGE)
    ]
    criteria = msgspec.to_builtins(content.criteria)
    items = [
        _item(event_id, page_key(version.name, page), {"criteria": criteria, "rows": rows, "counts": content.counts})
        for page, rows in enumerate(parts, 1)
    ]
    items += _index_items(event_id, version, parts)
    items.append(_item(event_id, clubs_key(version.name), content.clubs))
    put_items(TABLE, items, world.sleep, world.random.fraction)
    if not public:
        return
    for page, rows in enumerate(parts, 1):
        body = {
            "v": version.number,
            "round": content.round,
            "counts": content.counts,
            "page": page,
            "pages": version.pages,
            "criteria": criteria,
            "provisional": content.provisional,
            "rows": [{name: row[name] for name in PUBLIC_FIELDS} for row in rows],
        }
        world.files.put(f"{version.folder(event_id)}{page}.json", msgspec.json.encode(body), JSON_TYPE, CACHE_SNAPSHOT)


def _item(event_id: str, sk: str, value: Any) -> Item:
    return {"pk": {"S": event_id}, "sk": {"S": sk}, "body": {"B": zlib.compress(msgspec.json.encode(value), 6)}}


def _index_items(event_id: str, version: Version, parts: Sequence[Sequence[dict[str, Any]]]) -> list[Item]:
    pages = array("H", bytes(2 * NUMBERS_PER_INDEX * version.indexes))
    for page, rows in enumerate(parts, 1):
        for row in rows:
            pages[row["no"]] = page
    items = []
    for chunk in range(version.indexes):
        first = chunk * NUMBERS_PER_INDEX
        part = pages[first : first + NUMBERS_PER_INDEX]
        items.append(
            {
                "pk": {"S": event_id},
                "sk": {"S": index_key(version.name, first)},
                "body": {"B": zlib.compress(part.tobytes(), 6)},
            }
        )
    return items


def page_of(index: Item, number: int) -> int:
    """On which page entry ``number`` stands according to its index chunk (DynamoDB JSON); 0: on none."""
    pages = array("H", zlib.decompress(index["body"]["B"]))
    return pages[number % NUMBERS_PER_INDEX]


class StoredPage(msgspec.Struct):
    """A page as it is stored."""

    criteria: list[Labelled]
    rows: list[dict[str, Any]]
    counts: Counts = "all"


def page(item: Item) -> StoredPage:
    """What a page item (DynamoDB JSON) holds."""
    return msgspec.json.decode(zlib.decompress(item["body"]["B"]), type=StoredPage)


def read(world: World, event_id: str, name: str, pages: int) -> StoredPage | None:
    """A whole version as one page, or None if some of its pages are gone (a newer version replaced it)."""
    keys = [(TABLE, event_id, page_key(name, number)) for number in range(1, pages + 1)]
    found = get_items(keys, world.sleep, world.random.fraction)
    whole = StoredPage([], [])
    for item in found:
        if item is None:
            return None
        part = page(item)
        whole = StoredPage(part.criteria, [*whole.rows, *part.rows], part.counts)
    return whole


def read_clubs(world: World, event_id: str, name: str) -> list[dict[str, Any]] | None:
    """The 团体 rows of a version, or None if it is gone."""
    (found,) = get_items([(TABLE, event_id, clubs_key(name))], world.sleep, world.random.fraction)
    return None if found is None else msgspec.json.decode(zlib.decompress(found["body"]["B"]))


def remove(world: World, event_id: str, versions: Iterable[Version]) -> None:
    """Delete everything of these versions; what is gone already is no error."""
    for version in versions:
        world.files.delete_prefix(version.folder(event_id))
        world.files.delete(version.clubs_file(event_id))
        keys = [page_key(version.name, page) for page in range(1, version.pages + 1)]
        keys += [index_key(version.name, chunk * NUMBERS_PER_INDEX) for chunk in range(version.indexes)]
        keys.append(clubs_key(version.name))
        delete_items(TABLE, [(event_id, key) for key in keys], world.sleep, world.random.fraction)
