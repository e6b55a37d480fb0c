"""The SQLite file: tables, items, index entries, streams, transaction tokens and stream checkpoints.

One connection writes, guarded by one lock, in ``BEGIN IMMEDIATE`` transactions; an item, its index entries and its
stream record are one SQLite transaction, so a stream can neither miss a write nor announce one that is not there.
WAL with ``synchronous=NORMAL`` keeps every acknowledged write when the process is killed.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec

from infra.local.engine.schema import Index, Key, Table, build_table
from infra.local.engine.values import Item

MAX_INDEXES = 100
BUSY_SECONDS = 15
CHECKPOINT_PAGES = 8192
"""Of 4 KB: the log is copied into the file when it holds 32 MB."""
LARGEST_INTEGER = 2**63

_LAYOUT = """
CREATE TABLE IF NOT EXISTS tables(
    number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE NOT NULL, created REAL NOT NULL,
    label TEXT NOT NULL, request BLOB NOT NULL, ttl_attribute TEXT);
CREATE TABLE IF NOT EXISTS items(
    table_number INTEGER, partition_key BLOB, sort_key BLOB, body BLOB NOT NULL, size INTEGER NOT NULL,
    expires INTEGER, PRIMARY KEY(table_number, partition_key, sort_key)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS items_by_expiry ON items(table_number, expires) WHERE expires IS NOT NULL;
CREATE TABLE IF NOT EXISTS index_entries(
    index_number INTEGER, partition_key BLOB, sort_key BLOB, item_partition BLOB, item_sort BLOB,
    PRIMARY KEY(index_number, partition_key, sort_key, item_partition, item_sort)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS stream_records(
    position INTEGER PRIMARY KEY AUTOINCREMENT, table_number INTEGER NOT NULL, written REAL NOT NULL,
    record BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS stream_by_table ON stream_records(table_number, position);
CREATE TABLE IF NOT EXISTS tokens(token TEXT PRIMARY KEY, request_hash BLOB NOT NULL, used REAL NOT NULL);
CREATE INDEX IF NOT EXISTS tokens_by_age ON tokens(used);
CREATE TABLE IF NOT EXISTS checkpoints(consumer TEXT PRIMARY KEY, position INTEGER NOT NULL);
"""

_encode = msgspec.json.encode
_decode: Callable[[bytes], Any] = msgspec.json.decode


@dataclass(frozen=True)
class Stored:
    """An item as it stands in the file: content and size in bytes."""

    item: Item
    size: int


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, check_same_thread=False, isolation_level=None, cached_statements=256, timeout=BUSY_SECONDS
    )
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute("PRAGMA cache_size=-65536")
    # Each copy of the log into the file is written through to the disk; by default that is every 4 MB.
    connection.execute(f"PRAGMA wal_autocheckpoint={CHECKPOINT_PAGES}")
    return connection


def index_number(table: Table, index: Index) -> int:
    """The number under which an index keeps its entries."""
    return table.number * MAX_INDEXES + index.number


class Storage:
    """Reads and writes of the file at ``path``. Every method may be called from any thread."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.lock = threading.RLock()
        self.written = threading.Condition()
        self.announcements = 0
        self.connection = _connect(path)
        self.connection.executescript(_LAYOUT)
        self._tables: dict[str, Table] = {}
        self._announce = False

    def close(self) -> None:
        with self.lock:
            self.connection.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing; readers of streams are woken after the commit."""
        with self.lock:
            self._announce = False
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise
            announce = self._announce
        if announce:
            self.wake_readers()

    def wait_for_records(self, seen: int, seconds: float) -> None:
        """Wait until ``announcements`` is no longer ``seen``, or the time is over (another process may write too)."""
        with self.written:
            self.written.wait_for(lambda: self.announcements != seen, seconds)

    def wake_readers(self) -> None:
        """Let everybody who waits for records look again."""
        with self.written:
            self.announcements += 1
            self.written.notify_all()

    # Tables

    def table(self, name: str) -> Table | None:
        """A table by name or ARN. Another process may have made it, so the file is asked where memory has none."""
        name = name.rsplit("/", 1)[-1]
        table = self._tables.get(name)
        if table is None:
            with self.lock:
                row = self.connection.execute(
                    "SELECT number, created, label, request, ttl_attribute FROM tables WHERE name=?", (name,)
                ).fetchone()
            if row is None:
                return None
            number, created, label, request, ttl_attribute = row
            table = self._tables[name] = build_table(number, created, label, _decode(request), ttl_attribute)
        return table

    def table_names(self) -> list[str]:
        with self.lock:
            return [name for (name,) in self.connection.execute("SELECT name FROM tables ORDER BY name")]

    def add_table(self, created: float, label: str, request: dict[str, Any]) -> None:
        build_table(0, created, label, request, None)
        with self.transaction() as connection:
            connection.execute(
                "INSERT INTO tables(name, created, label, request) VALUES(?,?,?,?)",
                (request["TableName"], created, label, _encode(request)),
            )

    def set_ttl(self, table: Table, attribute: str | None) -> None:
        """Name the attribute items expire by, also for the items already there."""
        with self.transaction() as connection:
            connection.execute("UPDATE tables SET ttl_attribute=? WHERE number=?", (attribute, table.number))
            rows = connection.execute(
                "SELECT partition_key, sort_key, body FROM items WHERE table_number=?", (table.number,)
            ).fetchall()
            connection.executemany(
                "UPDATE items SET expires=? WHERE table_number=? AND partition_key=? AND sort_key=?",
                [(_expiry(attribute, _decode(body)), table.number, pk, sk) for pk, sk, body in rows],
            )
            self._tables.pop(table.name, None)

    def drop_table(self, table: Table) -> None:
        with self.transaction() as connection:
            for index in table.indexes:
                connection.execute("DELETE FROM index_entries WHERE index_number=?", (index_number(table, index),))
            connection.execute("DELETE FROM items WHERE table_number=?", (table.number,))
            connection.execute("DELETE FROM stream_records WHERE table_number=?", (table.number,))
            connection.execute("DELETE FROM tables WHERE number=?", (table.number,))
            self._tables.pop(table.name, None)

    def count_items(self, table: Table) -> int:
        with self.lock:
            row = self.connection.execute("SELECT count(*) FROM items WHERE table_number=?", (table.number,)).fetchone()
        return int(row[0])

    # Items

    def read(self, table: Table, key: Key, connection: sqlite3.Connection | None = None) -> Stored | None:
        """One item, from the present state or from the snapshot a given connection holds."""
        with self.lock:
            row = (
                (connection or self.connection)
                .execute(
                    "SELECT body, size FROM items WHERE table_number=? AND partition_key=? AND sort_key=?",
                    (table.number, *key),
                )
                .fetchone()
            )
        return Stored(_decode(row[0]), row[1]) if row else None

    def write(self, table: Table, key: Key, old: Stored | None, new: Item | None, size: int) -> None:
        """Replace an item inside a transaction; ``None`` deletes. ``size`` is the new item's."""
        connection = self.connection
        for index in table.indexes:
            before = index.keys.of_entry(old.item, index.name) if old else None
            after = index.keys.of_entry(new, index.name) if new is not None else None
            if before == after:
                continue
            number = index_number(table, index)
            if before is not None:
                connection.execute(
                    "DELETE FROM index_entries WHERE index_number=? AND partition_key=? AND sort_key=?"
                    " AND item_partition=? AND item_sort=?",
                    (number, *before, *key),
                )
            if after is not None:
                connection.execute("INSERT INTO index_entries VALUES(?,?,?,?,?)", (number, *after, *key))
        if new is None:
            connection.execute(
                "DELETE FROM items WHERE table_number=? AND partition_key=? AND sort_key=?", (table.number, *key)
            )
        else:
            connection.execute(
                "INSERT OR REPLACE INTO items VALUES(?,?,?,?,?,?)",
                (table.number, *key, _encode(new), size, _expiry(table.ttl_attribute, new)),
            )

    def expired(self, table: Table, now: float, limit: int) -> list[Key]:
        """Keys of items whose time has passed."""
        return self.connection.execute(
            "SELECT partition_key, sort_key FROM items"
            " WHERE table_number=? AND expires IS NOT NULL AND expires<=? LIMIT ?",
            (table.number, int(now), limit),
        ).fetchall()

    # Transaction tokens

    def token_hash(self, token: str) -> bytes | None:
        row = self.connection.execute("SELECT request_hash FROM tokens WHERE token=?", (token,)).fetchone()
        return bytes(row[0]) if row else None

    def add_token(self, token: str, request_hash: bytes, now: float) -> None:
        self.connection.execute("INSERT INTO tokens VALUES(?,?,?)", (token, request_hash, now))

    def forget_tokens(self, before: float) -> None:
        self.connection.execute("DELETE FROM tokens WHERE used<?", (before,))

    # Streams

    def add_record(self, table: Table, record: dict[str, Any], now: float) -> None:
        """Append a stream record inside the transaction of the write it reports."""
        self.connection.execute(
            "INSERT INTO stream_records(table_number, written, record) VALUES(?,?,?)",
            (table.number, now, _encode(record)),
        )
        self._announce = True

    def records(self, table: Table, after: int, limit: int) -> list[tuple[int, float, dict[str, Any]]]:
        """Records behind a position, oldest first: (position, time written, record)."""
        with self.lock:
            rows = self.connection.execute(
                "SELECT position, written, record FROM stream_records"
                " WHERE table_number=? AND position>? ORDER BY position LIMIT ?",
                (table.number, after, limit),
            ).fetchall()
        return [(position, written, _decode(record)) for position, written, record in rows]

    def last_position(self) -> int:
        """The position of the newest record of all streams."""
        with self.lock:
            row = self.connection.execute("SELECT coalesce(max(position), 0) FROM stream_records").fetchone()
        return int(row[0])

    def trim_records(self, table: Table, written_before: float, up_to: int) -> int:
        """Drop records that are old *and* lie at or before a position; returns how many."""
        with self.transaction() as connection:
            return connection.execute(
                "DELETE FROM stream_records WHERE table_number=? AND written<? AND position<=?",
                (table.number, written_before, up_to),
            ).rowcount

    def take_up(self, family: str, consumers: list[str]) -> list[int]:
        """Where each consumer of a family goes on; consumers are named ``family/...``.

        Those that are written down go on where they stopped. When their names changed (another number of them now
        shares the stream), all start from the earliest place of the former ones, so that none misses a record.
        """
        with self.transaction() as connection:
            rows = connection.execute(
                "SELECT consumer, position FROM checkpoints WHERE substr(consumer, 1, ?)=?",
                (len(family) + 1, f"{family}/"),
            ).fetchall()
            places: dict[str, int] = dict(rows)
            if set(places) != set(consumers):
                start = min(places.values(), default=0)
                connection.executemany("DELETE FROM checkpoints WHERE consumer=?", [(name,) for name in places])
                places = dict.fromkeys(consumers, start)
                # Written down even if it is the beginning: records nobody has read yet are not trimmed.
                connection.executemany("INSERT INTO checkpoints VALUES(?,?)", list(places.items()))
        return [places[name] for name in consumers]

    def earliest_checkpoint(self) -> int | None:
        """The lowest position of all consumers, None where there is none."""
        with self.lock:
            row = self.connection.execute("SELECT min(position) FROM checkpoints").fetchone()
        return None if row[0] is None else int(row[0])

    def save_checkpoint(self, consumer: str, position: int) -> None:
        with self.transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO checkpoints VALUES(?,?)", (consumer, position))


def _expiry(attribute: str | None, item: Item) -> int | None:
    """Seconds since 1970 after which an item may go; None for an attribute that is no usable number."""
    value = item.get(attribute, {}).get("N") if attribute else None
    seconds = int(Decimal(value)) if value is not None else None
    return seconds if seconds is not None and abs(seconds) < LARGEST_INTEGER else None


class Snapshot:
    """A second connection that keeps showing the file as it was up to ``age`` seconds ago: a lagging replica."""

    def __init__(self, storage: Storage, age: float, clock: Callable[[], float]) -> None:
        self._connection = _connect(storage.path)
        self._age = age
        self._clock = clock
        self._taken: float | None = None

    def connection(self) -> sqlite3.Connection:
        """The connection, its view renewed when it has grown too old. Call under the storage's lock."""
        now = self._clock()
        if self._taken is None or now - self._taken > self._age:
            if self._taken is not None:
                self._connection.execute("COMMIT")
            self._connection.execute("BEGIN")
            # A deferred transaction takes its view at the first read.
            self._connection.execute("SELECT count(*) FROM tables").fetchone()
            self._taken = now
        return self._connection

    def close(self) -> None:
        self._connection.close()
