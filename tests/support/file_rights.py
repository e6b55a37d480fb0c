"""What the functions' policies allow on files, against what the functions were seen doing with them.

The tests' files lie on a disk, but each act on them is one or more acts of S3; ``test_rights.py`` shows that the
gateway to S3 performs exactly these.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

from chalicelib.gateways.files import LINK_SECONDS, PUBLIC_PREFIX, StoredFile, UploadTicket
from infra.launcher.paths import ROOT
from infra.local.engine.recorder import caller
from infra.local.files import LocalFiles

# What each act on a file is at S3. A file that is missing is told from a forbidden one only to who may list.
ACTS: dict[str, tuple[str, ...]] = {
    "get": ("s3:GetObject", "s3:ListBucket"),
    "put": ("s3:PutObject",),
    "put_if_match": ("s3:PutObject", "s3:GetObject"),
    "delete": ("s3:DeleteObject",),
    "list_prefix": ("s3:ListBucket",),
    "delete_prefix": ("s3:ListBucket", "s3:DeleteObject"),
    "upload_ticket": ("s3:PutObject",),
    "download_link": ("s3:GetObject",),
}


class FileRight(NamedTuple):
    """A function, an action of S3, and a key (or, in a policy, the pattern of keys; empty: the bucket itself)."""

    function: str
    action: str
    bucket: str
    key: str


class WatchedFiles(LocalFiles):
    """Files on disk that remember who did what."""

    def __init__(self, root: Path, secret: bytes) -> None:
        super().__init__(root, secret)
        self.seen: set[FileRight] = set()
        self._within = threading.local()

    @contextmanager
    def _noting(self, act: str, key: str) -> Iterator[None]:
        """Note an act, but not those that the disk's own way of doing it consists of."""
        if getattr(self._within, "act", None) is not None:
            yield
            return
        self._within.act = act
        try:
            self._note(act, key)
            yield
        finally:
            self._within.act = None

    def _note(self, act: str, key: str) -> None:
        function = caller().partition(" ")[0]
        bucket = "SiteBucket" if key.startswith(PUBLIC_PREFIX) else "FilesBucket"
        for action in ACTS[act]:
            self.seen.add(FileRight(function, action, bucket, "" if action == "s3:ListBucket" else key))

    def get(self, key: str) -> StoredFile | None:
        with self._noting("get", key):
            return super().get(key)

    def put(self, key: str, body: bytes, content_type: str, cache_control: str) -> str:
        with self._noting("put", key):
            return super().put(key, body, content_type, cache_control)

    def put_if_match(self, key: str, body: bytes, etag: str | None, content_type: str, cache_control: str) -> str:
        with self._noting("put" if etag is None else "put_if_match", key):
            return super().put_if_match(key, body, etag, content_type, cache_control)

    def delete(self, key: str) -> None:
        with self._noting("delete", key):
            super().delete(key)

    def list_prefix(self, prefix: str) -> list[str]:
        with self._noting("list_prefix", prefix):
            return super().list_prefix(prefix)

    def delete_prefix(self, prefix: str) -> int:
        with self._noting("delete_prefix", prefix):
            return super().delete_prefix(prefix)

    def upload_ticket(self, key: str, max_bytes: int, seconds: int = LINK_SECONDS) -> UploadTicket:
        with self._noting("upload_ticket", key):
            return super().upload_ticket(key, max_bytes, seconds)

    def download_link(self, key: str, filename: str, seconds: int = LINK_SECONDS) -> str:
        with self._noting("download_link", key):
            return super().download_link(key, filename, seconds)


@cache
def file_rights() -> frozenset[FileRight]:
    """What each function may do with which files of the program's own buckets, keys as patterns (`pub/*`)."""
    found = set()
    for file in sorted((ROOT / ".chalice").glob("policy-*.json")):
        function = file.stem.removeprefix("policy-")
        for statement in json.loads(file.read_text(encoding="utf-8"))["Statement"]:
            for resource in statement.get("Resource", []):
                name = resource.get("Fn::Sub", "") if isinstance(resource, dict) else ""
                bucket, _, pattern = name.partition(":s3:::${")[2].partition("}")
                if bucket in ("SiteBucket", "FilesBucket"):
                    found |= {
                        FileRight(function, action, bucket, pattern.removeprefix("/")) for action in statement["Action"]
                    }
    return frozenset(found)


def grant_of(access: FileRight) -> FileRight | None:
    """The right that lets an access through, None if there is none."""
    for right in file_rights():
        same = (right.function, right.action, right.bucket) == (access.function, access.action, access.bucket)
        fits = access.key.startswith(right.key[:-1]) if right.key.endswith("*") else access.key == right.key
        if same and fits:
            return right
    return None


def files_not_allowed(seen: Iterable[FileRight]) -> list[str]:
    """Every access of a deployed function to a file that its policy does not allow."""
    functions = {right.function for right in file_rights()} | {"close_registrations"}
    return sorted(
        f"{access.function}: {access.action} on {access.bucket}/{access.key}"
        for access in seen
        if access.function in functions and grant_of(access) is None
    )
