"""The built pages in the site bucket: each file with its type and its Cache-Control, pages last."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infra.launcher.errors import SetupError
from infra.local.edge import Edge
from infra.local.pages import MEDIA_TYPES

PUBLIC = "pub/"
# Above so many paths one invalidation of everything is cheaper.
MOST_PATHS = 50


@dataclass(frozen=True)
class SiteFile:
    """One file of the pages: its key in the bucket, its content and headers."""

    key: str
    body: bytes
    media_type: str
    cache_control: str

    @property
    def etag(self) -> str:
        """The tag that S3 gives to these very bytes."""
        return f'"{hashlib.md5(self.body, usedforsecurity=False).hexdigest()}"'


def site_files(pages: Path, edge: Edge) -> list[SiteFile]:
    """What is to be uploaded, in order: what pages refer to before the pages. Raises SetupError."""
    found = []
    for file in sorted(pages.rglob("*")):
        key = file.relative_to(pages).as_posix()
        if not file.is_file() or any(part.startswith(".") for part in key.split("/")):
            continue
        if file.suffix not in MEDIA_TYPES:
            raise SetupError(f"{key} of the built pages is of a kind that the edge does not serve")
        found.append(SiteFile(key, file.read_bytes(), MEDIA_TYPES[file.suffix], edge.cache_control(f"/{key}")))
    missing = {page.removeprefix("/") for _, page in edge.pages} - {each.key for each in found}
    if missing:
        raise SetupError(f"the built pages lack {', '.join(sorted(missing))}")
    return sorted(found, key=lambda each: (each.key.endswith(".html") or each.key == "sw.js", each.key))


def changed(s3: Any, bucket: str, files: list[SiteFile]) -> list[SiteFile]:
    """The files that are not in the bucket as they are here."""
    there: dict[str, str] = {}
    for page in s3.get_paginator("list_objects_v2").paginate(Bucket=bucket):
        there.update(
            {each["Key"]: each["ETag"] for each in page.get("Contents", ()) if not each["Key"].startswith(PUBLIC)}
        )
    return [each for each in files if there.get(each.key) != each.etag]


def upload(s3: Any, bucket: str, files: list[SiteFile]) -> None:
    """Put files into the bucket. Assets of earlier versions stay: pages that are open still ask for them."""
    for each in files:
        s3.put_object(
            Bucket=bucket, Key=each.key, Body=each.body, ContentType=each.media_type, CacheControl=each.cache_control
        )


def invalidate(cloudfront: Any, distribution: str, files: list[SiteFile], reference: str) -> list[str]:
    """Let the edge forget these files; returns the paths it was told. Assets are new files and need nothing."""
    paths = [f"/{each.key}" for each in files if "immutable" not in each.cache_control]
    if len(paths) > MOST_PATHS:
        paths = ["/*"]
    if paths:
        cloudfront.create_invalidation(
            DistributionId=distribution,
            InvalidationBatch={"Paths": {"Quantity": len(paths), "Items": paths}, "CallerReference": reference},
        )
    return paths
