"""Everything that is written down anywhere, to look for what must not be there: tables, their streams, all files."""

from __future__ import annotations

import base64
import contextlib
import re
import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path

_ROWS = {
    "items": "SELECT tables.name, items.* FROM items JOIN tables ON tables.number = items.table_number",
    "stream_records": "SELECT 'stream', * FROM stream_records",
    "tables": "SELECT 'tables', * FROM tables",
}
_ESCAPE = re.compile(rb"\\+u([0-9a-fA-F]{4})")
_LONG_TEXT = re.compile(rb"zlib:([0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~-]+)")
"""As ``chalicelib/store/long_text.py`` keeps it."""
_BINARY = re.compile(rb'"B":"([A-Za-z0-9+/=]+)"')


def everything(folder: Path) -> Iterator[tuple[str, bytes]]:
    """(where, bytes) of every cell of the store's file (where: its table, or ``stream``) and of every file below
    ``folder``, unpacked where packed."""
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        if path.name.endswith((".sqlite-wal", ".sqlite-shm")):
            continue
        if path.suffix == ".sqlite":
            yield from _cells(path)
        else:
            for data in unpacked(path.read_bytes()):
                yield str(path.relative_to(folder)), data


def _cells(path: Path) -> Iterator[tuple[str, bytes]]:
    # Through SQLite, so that what still stands in the write-ahead log is seen, and what was overwritten is not.
    store = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        tables = [name for (name,) in store.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            for row in store.execute(_ROWS.get(table, f"SELECT '{table}', * FROM {table}")):
                for cell in row[1:]:
                    data = cell.encode() if isinstance(cell, str) else cell
                    if isinstance(data, bytes):
                        for each in unpacked(data):
                            yield row[0], each
    finally:
        store.close()


def unpacked(data: bytes) -> Iterator[bytes]:
    """The bytes, and what is packed within them: zlib and gzip streams, and zlib in the base64 of stored
    binaries and of long texts; escaped characters as themselves."""
    yield data
    if b"\\u" in data:
        yield _unescaped(data)
    for packed in _BINARY.findall(data):
        yield from _inflated(base64.b64decode(packed))
    for packed in _LONG_TEXT.findall(data):
        yield zlib.decompress(base64.b85decode(packed))
    yield from _inflated(data)


def _unescaped(data: bytes) -> bytes:
    """JSON within JSON, in which each Chinese character stands as an escape: with its characters."""
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)).encode("utf-8", "replace"), data)


def _inflated(data: bytes) -> Iterator[bytes]:
    for start in (b"\x78\x9c", b"\x78\xda", b"\x1f\x8b"):
        at = data.find(start)
        while at >= 0:
            with contextlib.suppress(zlib.error):
                yield zlib.decompressobj(47).decompress(data[at:])
            at = data.find(start, at + 1)


def found(folder: Path, *texts: str) -> list[tuple[str, str]]:
    """(where, text) wherever one of the texts stands, in UTF-8 or as JSON escapes."""
    wanted = [(text, text.encode()) for text in texts]
    wanted += [(text, text.encode("unicode_escape")) for text in texts if not text.isascii()]
    return sorted({(where, text) for where, data in everything(folder) for text, needle in wanted if needle in data})
