"""Pictures that people upload: which kind a file really is, and the file without what a camera wrote into it.

A photograph may carry where and when it was taken, and by whom. Only the parts that make up the picture are kept; a
file that is not laid out as its kind demands is refused, so that nothing else hides behind an image's name.
"""

from __future__ import annotations

import struct
import zlib
from typing import NamedTuple

MAX_BYTES = 5 * 1024 * 1024
MOST_PIXELS = 10_000
"""The longest side that is taken: more is no screen's."""

_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_KEPT = {b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"sBIT", b"bKGD", b"pHYs"}
_WEBP_KEPT = {b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ICCP", b"ANIM", b"ANMF"}
_WEBP_METADATA = 0x04 | 0x08
"""The flags of VP8X that announce EXIF and XMP."""


class NoPicture(Exception):
    """The file is no PNG, JPEG or WebP, or not a sound one."""


class Picture(NamedTuple):
    """A picture fit to be shown: its bytes, media type and the ending of its name."""

    body: bytes
    media_type: str
    ending: str


def cleaned(content: bytes) -> Picture:
    """The picture in ``content`` without metadata. Raises :class:`NoPicture`."""
    if len(content) > MAX_BYTES:
        raise NoPicture("too large")
    try:
        if content.startswith(_PNG):
            return Picture(_png(content), "image/png", "png")
        if content.startswith(b"\xff\xd8\xff"):
            return Picture(_jpeg(content), "image/jpeg", "jpg")
        if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
            return Picture(_webp(content), "image/webp", "webp")
    except (struct.error, IndexError, ValueError) as error:
        raise NoPicture("broken") from error
    raise NoPicture("neither PNG, JPEG nor WebP")


def _demand_size(width: int, height: int) -> None:
    if not (1 <= width <= MOST_PIXELS and 1 <= height <= MOST_PIXELS):
        raise NoPicture("its sides are too long")


def _png(content: bytes) -> bytes:
    kept = [_PNG]
    place, seen = len(_PNG), []
    while place < len(content):
        length, name = struct.unpack_from(">I4s", content, place)
        end = place + 12 + length
        body = content[place + 8 : end - 4]
        if len(body) != length or struct.unpack_from(">I", content, end - 4)[0] != zlib.crc32(name + body):
            raise NoPicture("broken")
        if name == b"IHDR":
            _demand_size(*struct.unpack_from(">II", body))
        if name in _PNG_KEPT:
            kept.append(content[place:end])
        seen.append(name)
        place = end
        if name == b"IEND":
            break
    if not seen or seen[0] != b"IHDR" or seen[-1] != b"IEND" or b"IDAT" not in seen:
        raise NoPicture("broken")
    return b"".join(kept)


def _jpeg(content: bytes) -> bytes:
    kept = [b"\xff\xd8"]
    place, sized = 2, False
    while True:
        if content[place] != 0xFF:
            raise NoPicture("broken")
        marker = content[place + 1]
        if marker == 0xFF:
            place += 1
            continue
        (length,) = struct.unpack_from(">H", content, place + 2)
        segment = content[place : place + 2 + length]
        if length < 2 or len(segment) != length + 2:
            raise NoPicture("broken")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", segment, 5)
            _demand_size(width, height)
            sized = True
        if marker == 0xDA:
            break
        # APP0 (JFIF), APP2 (colour profile), APP14 (colour transform) belong to the picture; comments do not.
        if not (0xE0 <= marker <= 0xEF or marker == 0xFE) or marker in (0xE0, 0xE2, 0xEE):
            kept.append(segment)
        place += 2 + length
    end = content.rfind(b"\xff\xd9")
    if not sized or end < place:
        raise NoPicture("broken")
    return b"".join([*kept, content[place : end + 2]])


def _webp(content: bytes) -> bytes:
    (size,) = struct.unpack_from("<I", content, 4)
    if size + 8 > len(content) or size < 12:
        raise NoPicture("broken")
    kept: list[bytes] = []
    place, end, drawn = 12, size + 8, False
    while place < end:
        name, length = struct.unpack_from("<4sI", content, place)
        padded = length + (length & 1)
        body = content[place + 8 : place + 8 + length]
        if len(body) != length or place + 8 + length > end:
            raise NoPicture("broken")
        if name == b"VP8X":
            body = bytes([body[0] & ~_WEBP_METADATA]) + body[1:]
            width, height = (int.from_bytes(body[at : at + 3], "little") + 1 for at in (4, 7))
            _demand_size(width, height)
        drawn = drawn or name in (b"VP8 ", b"VP8L", b"ANMF")
        if name in _WEBP_KEPT:
            kept.append(struct.pack("<4sI", name, length) + body + b"\0" * (length & 1))
        place += 8 + padded
    if not drawn:
        raise NoPicture("broken")
    chunks = b"WEBP" + b"".join(kept)
    return b"RIFF" + struct.pack("<I", len(chunks)) + chunks
