"""What the edge does, read from the data that the cloud's edge is made of: pretty paths, caching, headers.

``infra/edge/routes.json``: a page's ``path`` stands for itself and everything below it, ``/`` for itself only; the
first ``prefix`` of ``caching`` that a file's path starts with names its Cache-Control. ``infra/edge/headers.json``:
headers of every answer; those under ``cloud`` make no sense over plain HTTP.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec

DIRECTORY = Path(__file__).resolve().parents[1] / "edge"


class _Page(msgspec.Struct, forbid_unknown_fields=True):
    path: str
    page: str


class _Caching(msgspec.Struct, forbid_unknown_fields=True):
    prefix: str
    value: str


class _Routes(msgspec.Struct, forbid_unknown_fields=True):
    pages: list[_Page]
    caching: list[_Caching]


class _Headers(msgspec.Struct, forbid_unknown_fields=True):
    always: dict[str, str]
    cloud: dict[str, str]


@dataclass(frozen=True)
class Edge:
    """The edge's data."""

    pages: tuple[tuple[str, str], ...]
    caching: tuple[tuple[str, str], ...]
    headers: dict[str, str]
    cloud_headers: dict[str, str]

    def page_of(self, path: str) -> str:
        """The file a path stands for, as it was sent: a page for a pretty path, else the path itself."""
        for start, page in self.pages:
            if path == start or (start != "/" and path.startswith(f"{start}/")):
                return page
        return path

    def cache_control(self, path: str) -> str:
        """How long a file of the pages may be kept."""
        return next(value for prefix, value in self.caching if path.startswith(prefix))


def read_edge(directory: Path = DIRECTORY) -> Edge:
    """Read the edge's data files."""
    routes = msgspec.json.decode((directory / "routes.json").read_bytes(), type=_Routes)
    headers = msgspec.json.decode((directory / "headers.json").read_bytes(), type=_Headers)
    return Edge(
        pages=tuple((page.path, page.page) for page in routes.pages),
        caching=tuple((rule.prefix, rule.value) for rule in routes.caching),
        headers=headers.always,
        cloud_headers=headers.cloud,
    )
