"""What an export keeps between its steps, and its file: in the private bucket, for a day at most.

Names of an encrypted event stand there only sealed to the event's key, as what comes in does (``sealed_files``).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from chalicelib.services.finding import known_event
from chalicelib.services.privacy.keys import EventKeys, OpenKey, keys_of, opened_for_job
from chalicelib.services.privacy.sealing import opened_bytes, sealed_bytes
from chalicelib.services.problems import Problem
from chalicelib.services.world import World
from chalicelib.store.jobs import Job

MARK: Final = "mark"
"""Lies there from before anything is read until the file is whole. Whoever takes names out of an event deletes it with
everything else of the event's downloads, and the job begins anew."""
FACTS: Final = "facts"
FILE: Final = "file"
OCTETS: Final = "application/octet-stream"


def sheet_part(number: int) -> str:
    """The part that holds sheet ``number``, from 0."""
    return f"sheet-{number}"


def piece_part(number: int) -> str:
    """Piece ``number``, from 1, of a sealed file."""
    return f"piece-{number}"


def key_of(job: Job, part: str) -> str:
    """Where a part of a job lies."""
    return f"downloads/{job.event_id}/{job.pk.partition('#')[2]}-{part}"


class Parts:
    """The parts of one job under way."""

    def __init__(self, world: World, job: Job) -> None:
        """Raises key_expired when the key that was lent is too old, or the event has another by now."""
        self._world, self._job = world, job
        self.key: OpenKey | None = None
        self._keys: EventKeys | None = None
        order = dict(job.order)
        if order.get("sealed"):
            keys = keys_of(known_event(job.event_id)[0])
            self.key = opened_for_job(world, job.event_id, job.pk.partition("#")[2], order.get("lent", ""))
            if keys is None or keys.generation != self.key.generation:
                raise Problem("key_expired")
            self._keys = keys

    @property
    def sealed(self) -> bool:
        """Whether names of an encrypted event stand in them."""
        return self._keys is not None

    def put(self, part: str, body: bytes, media_type: str = OCTETS) -> None:
        """Keep a part, sealed where it has to be."""
        kept = body if self._keys is None else sealed_bytes(self._keys, body)
        self._world.files.put(key_of(self._job, part), kept, media_type, "no-store")

    def get(self, part: str) -> bytes | None:
        """A part, or None when it is gone."""
        found = self._world.files.get(key_of(self._job, part))
        if found is None or self.key is None:
            return None if found is None else found.body
        return opened_bytes(found.body, self.key)

    def delete(self, parts: Iterable[str]) -> None:
        """Parts that are needed no longer."""
        delete(self._world, self._job, parts)


def delete(world: World, job: Job, parts: Iterable[str]) -> None:
    """Delete parts of a job; they need not be there."""
    for part in parts:
        world.files.delete(key_of(job, part))
