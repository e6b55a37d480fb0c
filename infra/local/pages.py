"""The built pages and the public files, with their headers."""

from __future__ import annotations

import hashlib
import threading
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from infra.local.edge import Edge
from infra.local.files import LocalFiles
from infra.local.gateway import Answer

MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".map": "application/json; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}


@dataclass(frozen=True)
class _Page:
    """A file of the pages as it was when it was read."""

    changed: float
    body: bytes
    etag: str


class Pages:
    """Files below one directory, kept in memory until they change on disk."""

    def __init__(self, directory: Path, edge: Edge) -> None:
        self._directory = directory.resolve()
        self._edge = edge
        self._lock = threading.Lock()
        self._kept: dict[Path, _Page] = {}

    def answer(self, path: str, known: str) -> Answer | None:
        """The page or file of a URL path, None where there is none; ``known`` is the browser's If-None-Match."""
        name = unquote(self._edge.page_of(path))
        file = (self._directory / name.lstrip("/")).resolve()
        media_type = MEDIA_TYPES.get(file.suffix)
        if media_type is None or not file.is_relative_to(self._directory) or not file.is_file():
            return None
        page = self._read(file)
        headers = (
            ("Content-Type", media_type),
            ("Cache-Control", self._edge.cache_control(name)),
            ("ETag", page.etag),
        )
        return unchanged(headers) if matches(known, page.etag) else Answer(200, headers, page.body)

    def _read(self, file: Path) -> _Page:
        changed = file.stat().st_mtime
        with self._lock:
            page = self._kept.get(file)
            if page is None or page.changed != changed:
                body = file.read_bytes()
                page = _Page(changed, body, f'"{hashlib.sha256(body).hexdigest()[:32]}"')
                self._kept[file] = page
        return page


def public_answer(files: LocalFiles, path: str, known: str) -> Answer | None:
    """A file of ``/pub``, None where there is none."""
    try:
        found = files.get(path.lstrip("/"))
    except ValueError:
        return None
    if found is None:
        return None
    headers = (
        ("Content-Type", found.content_type),
        ("Cache-Control", found.cache_control),
        ("ETag", found.etag),
    )
    return unchanged(headers) if matches(known, found.etag) else Answer(200, headers, found.body)


def matches(known: str, etag: str) -> bool:
    """Whether a browser's If-None-Match names this tag."""
    return any(tag.strip().removeprefix("W/") in (etag, "*") for tag in known.split(",")) if known else False


def unchanged(headers: tuple[tuple[str, str], ...]) -> Answer:
    """304 with the headers a cache renews."""
    return Answer(304, tuple(pair for pair in headers if pair[0] != "Content-Type"), b"")
