"""Files: public ones below ``pub/`` (read through the edge), private uploads and downloads by signed links.

One protocol, two places: S3 here, the disk in ``infra/local/files.py``; one test suite holds both to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Protocol
from urllib.parse import quote

import msgspec

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

PUBLIC_PREFIX = "pub/"
LINK_SECONDS = 900
MAX_KEY_LENGTH = 512

_KEY = re.compile(r"[A-Za-z0-9._~-]+(/[A-Za-z0-9._~-]+)*")
_DELETE_AT_ONCE = 1000
_MISSING = ("NoSuchKey", "404", "NotFound")
_CHANGED = ("PreconditionFailed", "ConditionalRequestConflict", "412", "409", *_MISSING)


class Conflict(Exception):
    """The file was not what the caller thought it was; nothing was written."""


class StoredFile(msgspec.Struct, frozen=True):
    """A file with its headers; ``etag`` is quoted, as in HTTP."""

    body: bytes
    content_type: str
    cache_control: str
    etag: str


class UploadTicket(msgspec.Struct, frozen=True):
    """Leave to upload one file: POST a multipart form to ``url`` with ``fields`` first and the part ``file`` last.

    Anything longer than ``max_bytes``, later than ``seconds`` from now or under another key is refused.
    """

    key: str
    url: str
    fields: dict[str, str]
    max_bytes: int
    seconds: int


class Files(Protocol):
    """Where files are kept. Keys are paths of ASCII letters, digits and ``._~-`` (else ``ValueError``)."""

    def get(self, key: str) -> StoredFile | None:
        """The file of a key, None where there is none."""
        ...

    def put(self, key: str, body: bytes, content_type: str, cache_control: str) -> str:
        """Write a file, whatever was there before; returns its etag."""
        ...

    def put_if_match(self, key: str, body: bytes, etag: str | None, content_type: str, cache_control: str) -> str:
        """Write a file only if its etag still is ``etag`` (None: only if there is no file); returns the new etag.

        Raises :class:`Conflict` where somebody else was faster.
        """
        ...

    def delete(self, key: str) -> None:
        """Delete a file; it need not be there."""
        ...

    def list_prefix(self, prefix: str) -> list[str]:
        """All keys that start with a prefix, sorted."""
        ...

    def delete_prefix(self, prefix: str) -> int:
        """Delete all files whose keys start with a prefix; returns how many there were."""
        ...

    def upload_ticket(self, key: str, max_bytes: int, seconds: int = LINK_SECONDS) -> UploadTicket:
        """Let a browser upload one file of 1 to ``max_bytes`` bytes by itself."""
        ...

    def download_link(self, key: str, filename: str, seconds: int = LINK_SECONDS) -> str:
        """An address from which a browser saves the file under ``filename`` (any characters)."""
        ...


def checked_key(key: str) -> str:
    """The key itself, if it is one; raises ``ValueError`` otherwise."""
    if len(key) > MAX_KEY_LENGTH or not _KEY.fullmatch(key) or any(part in (".", "..") for part in key.split("/")):
        raise ValueError(f"not a key of a file: {key!r}")
    return key


def checked_prefix(prefix: str) -> str:
    """A prefix of keys; the empty one is refused, because deleting everything is never meant."""
    if not prefix:
        raise ValueError("a prefix must not be empty")
    checked_key(prefix.removesuffix("/"))
    return prefix


def attachment(filename: str) -> str:
    """The Content-Disposition of a download, readable for old browsers too (RFC 6266)."""
    plain = re.sub(r"[^A-Za-z0-9._ -]", "_", filename)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(filename, safe='')}"


class S3Files(msgspec.Struct, frozen=True, dict=True):
    """Files in S3: those below ``pub/`` in ``public_bucket`` (default: the same), all others in ``bucket``."""

    bucket: str
    public_bucket: str | None = None

    @cached_property
    def _client(self) -> S3Client:
        # Made on first use: most functions never touch a file, and a client costs tens of milliseconds.
        import boto3
        from botocore.config import Config

        settings = Config(
            connect_timeout=2,
            read_timeout=5,
            retries={"max_attempts": 4, "mode": "standard"},
            signature_version="s3v4",
        )
        return boto3.client("s3", config=settings)

    def _bucket(self, key: str) -> str:
        public = self.public_bucket or self.bucket
        return public if key.startswith(PUBLIC_PREFIX) else self.bucket

    def get(self, key: str) -> StoredFile | None:
        from botocore.exceptions import ClientError

        try:
            answer = self._client.get_object(Bucket=self._bucket(key), Key=checked_key(key))
        except ClientError as error:
            if _code(error) in _MISSING:
                return None
            raise
        return StoredFile(
            body=answer["Body"].read(),
            content_type=answer.get("ContentType", ""),
            cache_control=answer.get("CacheControl", ""),
            etag=answer["ETag"],
        )

    def put(self, key: str, body: bytes, content_type: str, cache_control: str) -> str:
        answer = self._client.put_object(
            Bucket=self._bucket(key),
            Key=checked_key(key),
            Body=body,
            ContentType=content_type,
            CacheControl=cache_control,
        )
        return answer["ETag"]

    def put_if_match(self, key: str, body: bytes, etag: str | None, content_type: str, cache_control: str) -> str:
        from botocore.exceptions import ClientError

        checked_key(key)
        try:
            if etag is None:
                answer = self._client.put_object(
                    Bucket=self._bucket(key),
                    Key=key,
                    Body=body,
                    ContentType=content_type,
                    CacheControl=cache_control,
                    IfNoneMatch="*",
                )
            else:
                answer = self._client.put_object(
                    Bucket=self._bucket(key),
                    Key=key,
                    Body=body,
                    ContentType=content_type,
                    CacheControl=cache_control,
                    IfMatch=etag,
                )
        except ClientError as error:
            if _code(error) in _CHANGED:
                raise Conflict(key) from None
            raise
        return answer["ETag"]

    def delete(self, key: str) -> None:
        self._client.delete_object(Bucket=self._bucket(key), Key=checked_key(key))

    def list_prefix(self, prefix: str) -> list[str]:
        return sorted(self._keys(checked_prefix(prefix)))

    def _keys(self, prefix: str) -> Iterator[str]:
        pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=self._bucket(prefix), Prefix=prefix)
        for page in pages:
            for entry in page.get("Contents", ()):
                yield entry["Key"]

    def delete_prefix(self, prefix: str) -> int:
        keys = self.list_prefix(prefix)
        for start in range(0, len(keys), _DELETE_AT_ONCE):
            answer = self._client.delete_objects(
                Bucket=self._bucket(prefix),
                Delete={"Objects": [{"Key": key} for key in keys[start : start + _DELETE_AT_ONCE]], "Quiet": True},
            )
            failed = answer.get("Errors")
            if failed:
                raise OSError(f"{len(failed)} files below {prefix} could not be deleted: {failed[0].get('Code')}")
        return len(keys)

    def upload_ticket(self, key: str, max_bytes: int, seconds: int = LINK_SECONDS) -> UploadTicket:
        form = self._client.generate_presigned_post(
            Bucket=self._bucket(key),
            Key=checked_key(key),
            Conditions=[["content-length-range", 1, max_bytes]],
            ExpiresIn=seconds,
        )
        return UploadTicket(key, form["url"], form["fields"], max_bytes, seconds)

    def download_link(self, key: str, filename: str, seconds: int = LINK_SECONDS) -> str:
        return self._client.generate_presigned_url(
            "get_object",
            Params={
                "Bucket": self._bucket(key),
                "Key": checked_key(key),
                "ResponseContentDisposition": attachment(filename),
            },
            ExpiresIn=seconds,
        )


def _code(error: Exception) -> str:
    response: dict[str, dict[str, str]] = getattr(error, "response", {})
    return response.get("Error", {}).get("Code", "")
