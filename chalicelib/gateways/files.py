"""Files that pages read (pulse, snapshots): S3 in the cloud, a folder in the local stack (``infra/local/files.py``).

Keys begin with ``pub/``; nothing that stands there holds a phone number, a draft or anything frozen or private.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

MOST_DELETED = 1000
JSON = "application/json; charset=utf-8"
ABSENT = ""
"""As ``if_match``: only if there is no such file yet."""


class FileChanged(Exception):
    """The file is not (any more) what ``if_match`` said; nothing was written."""


@dataclass(frozen=True)
class StoredFile:
    """A file's content and the tag that names this very content."""

    body: bytes
    etag: str


class Files(Protocol):
    """A flat store of small files."""

    def read(self, key: str) -> StoredFile | None:
        """The file, or None."""
        ...

    def write(
        self, key: str, body: bytes, *, cache_control: str, media_type: str = JSON, if_match: str | None = None
    ) -> None:
        """Put a file. ``if_match``: the tag it must still have, or :data:`ABSENT`; raises :class:`FileChanged`."""
        ...

    def delete(self, keys: Iterable[str]) -> None:
        """Remove files; those that are not there are no error."""
        ...

    def keys(self, prefix: str) -> Iterator[str]:
        """Names of all files that begin so, in order."""
        ...


class S3Files:
    """Files in an S3 bucket. The client is made on first use."""

    def __init__(self, bucket: str) -> None:
        self._bucket = bucket

    @cached_property
    def _client(self) -> S3Client:
        import boto3
        from botocore.config import Config

        settings = Config(connect_timeout=2, read_timeout=5, retries={"max_attempts": 4, "mode": "standard"})
        return boto3.client("s3", config=settings)

    def read(self, key: str) -> StoredFile | None:
        """The object, or None."""
        try:
            found = self._client.get_object(Bucket=self._bucket, Key=key)
        except self._client.exceptions.NoSuchKey:
            return None
        return StoredFile(found["Body"].read(), found["ETag"])

    def write(
        self, key: str, body: bytes, *, cache_control: str, media_type: str = JSON, if_match: str | None = None
    ) -> None:
        """Put an object, if need be only over what ``if_match`` names."""
        from botocore.exceptions import ClientError

        condition: dict[str, Any] = {}
        if if_match is not None:
            condition = {"IfNoneMatch": "*"} if if_match == ABSENT else {"IfMatch": if_match}
        try:
            self._client.put_object(
                Bucket=self._bucket,
                Key=key,
                Body=body,
                ContentType=media_type,
                CacheControl=cache_control,
                **condition,
            )
        except ClientError as error:
            # 412: another content; 409: another conditional write at the same moment; 404: deleted meanwhile.
            if error.response.get("ResponseMetadata", {}).get("HTTPStatusCode") in (404, 409, 412) and condition:
                raise FileChanged(key) from error
            raise

    def delete(self, keys: Iterable[str]) -> None:
        """Remove objects, a thousand at a time."""
        waiting = list(keys)
        for first in range(0, len(waiting), MOST_DELETED):
            names = [{"Key": key} for key in waiting[first : first + MOST_DELETED]]
            self._client.delete_objects(Bucket=self._bucket, Delete={"Objects": names, "Quiet": True})

    def keys(self, prefix: str) -> Iterator[str]:
        """Names of all objects that begin so."""
        for page in self._client.get_paginator("list_objects_v2").paginate(Bucket=self._bucket, Prefix=prefix):
            for found in page.get("Contents", []):
                yield found["Key"]
