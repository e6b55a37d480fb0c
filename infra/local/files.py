"""Files on this machine's disk, with the behaviour the product knows from S3.

A file is one file on disk: a line of JSON with its headers, then the body. It is written beside its place and
renamed into it, so a reader sees the old or the new one, never half of one, and a killed process leaves no damage.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlencode

import msgspec

from chalicelib.gateways.files import (
    LINK_SECONDS,
    Conflict,
    StoredFile,
    UploadTicket,
    checked_key,
    checked_prefix,
)

UPLOAD_PATH = "/local/upload"
DOWNLOAD_PATH = "/local/download"

# Keys that are paths of other keys ("a" beside "a/b") need names that are no directories.
_SUFFIX = ".file"
_TEMPORARY = ".writing"
_ABANDONED_SECONDS = 3600


class _Headers(msgspec.Struct):
    content_type: str
    cache_control: str


class Grant(msgspec.Struct):
    """What a signed link allows: ``act`` upload or download, until ``expires`` (seconds since 1970)."""

    act: str
    key: str
    expires: float
    max_bytes: int = 0
    filename: str = ""


class Refused(Exception):
    """A link that is forged, altered or too old."""


class LocalFiles:
    """The files gateway on a directory. One process writes; reads may come from anywhere."""

    def __init__(self, root: Path, secret: bytes, clock: Callable[[], float] = time.time) -> None:
        """``root``: the directory, made where missing; ``secret`` signs links; ``clock``: seconds since 1970."""
        self._root = root
        self._secret = hashlib.sha256(b"links to local files" + secret).digest()
        self._clock = clock
        self._lock = threading.Lock()
        root.mkdir(parents=True, exist_ok=True)
        for left in root.rglob(f"*{_TEMPORARY}"):
            # Younger ones may belong to another process that is writing right now.
            if time.time() - left.stat().st_mtime > _ABANDONED_SECONDS:
                left.unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        return self._root / (checked_key(key) + _SUFFIX)

    def get(self, key: str) -> StoredFile | None:
        try:
            content = self._path(key).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        line, _, body = content.partition(b"\n")
        headers = msgspec.json.decode(line, type=_Headers)
        return StoredFile(body, headers.content_type, headers.cache_control, _etag(body))

    def put(self, key: str, body: bytes, content_type: str, cache_control: str) -> str:
        with self._lock:
            return self._write(key, body, content_type, cache_control)

    def put_if_match(self, key: str, body: bytes, etag: str | None, content_type: str, cache_control: str) -> str:
        with self._lock:
            there = self.get(key)
            if (there.etag if there else None) != etag:
                raise Conflict(key)
            return self._write(key, body, content_type, cache_control)

    def _write(self, key: str, body: bytes, content_type: str, cache_control: str) -> str:
        path = self._path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f"{uuid.uuid4().hex}{_TEMPORARY}")
        temporary.write_bytes(msgspec.json.encode(_Headers(content_type, cache_control)) + b"\n" + body)
        os.utime(temporary, (self._clock(), self._clock()))
        os.replace(temporary, path)
        return _etag(body)

    def delete(self, key: str) -> None:
        with self._lock:
            self._path(key).unlink(missing_ok=True)

    def list_prefix(self, prefix: str) -> list[str]:
        return sorted(self._keys(checked_prefix(prefix)))

    def _keys(self, prefix: str) -> Iterator[str]:
        start = self._root / prefix.rpartition("/")[0]
        for path in start.rglob(f"*{_SUFFIX}"):
            key = path.relative_to(self._root).as_posix().removesuffix(_SUFFIX)
            if key.startswith(prefix):
                yield key

    def delete_prefix(self, prefix: str) -> int:
        keys = self.list_prefix(prefix)
        for key in keys:
            self.delete(key)
        return len(keys)

    def delete_older(self, prefix: str, seconds: float) -> int:
        """Delete what was written below a prefix more than so long ago, as a bucket's lifecycle does; how many."""
        old = []
        for key in self.list_prefix(prefix):
            try:
                written = self._path(key).stat().st_mtime
            except FileNotFoundError:
                continue
            if written < self._clock() - seconds:
                old.append(key)
        for key in old:
            self.delete(key)
        return len(old)

    def upload_ticket(self, key: str, max_bytes: int, seconds: int = LINK_SECONDS) -> UploadTicket:
        grant = Grant("upload", checked_key(key), self._clock() + seconds, max_bytes)
        return UploadTicket(key, UPLOAD_PATH, {"key": key, "grant": self._sign(grant)}, max_bytes, seconds)

    def download_link(self, key: str, filename: str, seconds: int = LINK_SECONDS) -> str:
        grant = Grant("download", checked_key(key), self._clock() + seconds, filename=filename)
        return f"{DOWNLOAD_PATH}?{urlencode({'grant': self._sign(grant)})}"

    def _sign(self, grant: Grant) -> str:
        body = base64.urlsafe_b64encode(msgspec.json.encode(grant))
        return f"{body.decode()}.{self._signature(body)}"

    def _signature(self, body: bytes) -> str:
        return hmac.new(self._secret, body, hashlib.sha256).hexdigest()

    def granted(self, act: str, signed: str) -> Grant:
        """Read a signed grant; raises :class:`Refused` unless it is ours, for this act and not too old."""
        body, _, signature = signed.partition(".")
        if not hmac.compare_digest(self._signature(body.encode()).encode(), signature.encode()):
            raise Refused("not a link of this server")
        grant = msgspec.json.decode(base64.urlsafe_b64decode(body), type=Grant)
        if grant.act != act or grant.expires < self._clock():
            raise Refused("the link has expired")
        return grant


def _etag(body: bytes) -> str:
    return f'"{hashlib.md5(body, usedforsecurity=False).hexdigest()}"'
