"""Uploaded pictures: what they are, and what is left of them."""

from __future__ import annotations

import io
import struct
import zlib

import pytest

from chalicelib.gateways.pictures import MAX_BYTES, NoPicture, cleaned


def chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def png(*more: bytes, width: int = 1, height: int = 1) -> bytes:
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    pixels = chunk(b"IDAT", zlib.compress(b"\0\xff\0\0"))
    return b"\x89PNG\r\n\x1a\n" + header + b"".join(more) + pixels + chunk(b"IEND", b"")


def segment(marker: int, body: bytes) -> bytes:
    return bytes([0xFF, marker]) + struct.pack(">H", len(body) + 2) + body


def jpeg(*more: bytes, width: int = 8, height: int = 8) -> bytes:
    frame = segment(0xC0, struct.pack(">BHHB", 8, height, width, 1) + b"\x01\x11\x00")
    scan = segment(0xDA, b"\x01\x01\x00\x00\x3f\x00") + b"\x12\x34\xff\x00\x56"
    return b"\xff\xd8" + segment(0xE0, b"JFIF\0" + bytes(9)) + b"".join(more) + frame + scan + b"\xff\xd9"


def webp(*more: tuple[bytes, bytes], flags: int = 0x0C) -> bytes:
    extended = bytes([flags, 0, 0, 0]) + (7).to_bytes(3, "little") + (7).to_bytes(3, "little")
    chunks = [(b"VP8X", extended), (b"VP8L", b"\x2f\x07\xc0\x01\x00"), *more]
    body = b"WEBP" + b"".join(
        struct.pack("<4sI", name, len(part)) + part + b"\0" * (len(part) & 1) for name, part in chunks
    )
    return b"RIFF" + struct.pack("<I", len(body)) + body


SECRET = b"39.9042N 116.4074E"


@pytest.mark.parametrize(
    ("content", "media_type"),
    [
        (png(chunk(b"tEXt", b"Comment\0" + SECRET), chunk(b"eXIf", SECRET)), "image/png"),
        (jpeg(segment(0xE1, b"Exif\0\0" + SECRET), segment(0xFE, SECRET), segment(0xED, SECRET)), "image/jpeg"),
        (webp((b"EXIF", SECRET), (b"XMP ", SECRET)), "image/webp"),
        (png() + SECRET, "image/png"),
        (jpeg() + SECRET, "image/jpeg"),
        (webp() + SECRET, "image/webp"),
    ],
)
def test_only_the_picture_is_kept(content: bytes, media_type: str) -> None:
    picture = cleaned(content)
    assert picture.media_type == media_type
    assert SECRET not in picture.body
    assert cleaned(picture.body) == picture


def test_what_is_left_is_the_plain_picture() -> None:
    assert cleaned(png(chunk(b"tEXt", SECRET))).body == png()
    assert cleaned(jpeg(segment(0xE1, SECRET))).body == jpeg()
    assert cleaned(webp((b"EXIF", SECRET))).body == webp(flags=0)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        b"GIF89a" + bytes(20),
        b"%PDF-1.7",
        png()[:-20],
        png()[:40] + b"\0" + png()[41:],
        png(width=20_000),
        jpeg()[:30],
        jpeg(height=10_001),
        b"\xff\xd8\xff\xd9",
        webp()[:-4],
        b"RIFF\x04\0\0\0WEBP",
        png() + bytes(MAX_BYTES),
    ],
)
def test_what_is_no_picture_is_refused(content: bytes) -> None:
    with pytest.raises(NoPicture):
        cleaned(content)


def test_every_cut_of_a_picture_is_refused_or_sound() -> None:
    for whole in (png(), jpeg(), webp((b"EXIF", SECRET))):
        for end in range(len(whole)):
            try:
                picture = cleaned(whole[:end])
            except NoPicture:
                continue
            assert cleaned(io.BytesIO(picture.body).read()) == picture
