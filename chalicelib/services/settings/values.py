"""The values settings and request bodies are made of: lengths, ranges and units, checked when they are read."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

Line = Annotated[str, Meta(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]
"""One line of text, up to 200 characters."""
Name = Annotated[str, Meta(min_length=1, max_length=60, pattern=r"^[^\x00-\x1f\x7f]*\S[^\x00-\x1f\x7f]*$")]
"""A name: 1 to 60 characters, not blank."""
Reason = Annotated[str, Meta(max_length=200)]
"""Why something was decided; whether it may be left out, the service says."""
Place = Annotated[int, Meta(ge=0, le=7)]
"""A player's place within an entry, from 0."""
Text = Annotated[str, Meta(max_length=20_000)]
"""Several lines of text."""
Half = Annotated[float, Meta(ge=-1000, le=1000, multiple_of=0.5)]
"""Points: multiples of a half."""
Milliseconds = Annotated[int, Meta(ge=0, le=4_102_444_800_000)]
"""Since 1970-01-01 UTC, up to the year 2100."""
Fen = Annotated[int, Meta(ge=0, le=10_000_000)]
"""Money: hundredths of a yuan, up to 100,000 yuan."""
Version = Annotated[int, Meta(ge=1, le=1_000_000_000)]
"""The version of something as its reader saw it."""
VersionOrZero = Annotated[int, Meta(ge=0, le=1_000_000_000)]
"""The same; 0 for something that was not there yet."""
