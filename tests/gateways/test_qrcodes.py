"""QR codes, read back from the SVG as a scanner would see the modules."""

import base64
import re
from xml.etree import ElementTree

import png
import pytest

from chalicelib.gateways.qrcodes import QUIET_ZONE_MODULES, qr_png, qr_svg

SVG = "{http://www.w3.org/2000/svg}"
FINDER = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]
LEVEL_M = 0b00
FORMAT_MASK = 0b101010000010010


def modules(svg: str) -> list[str]:
    """The grid of modules including the quiet zone, "1" for dark."""
    root = ElementTree.fromstring(svg)
    size = int(root.attrib["viewBox"].split()[2])
    grid = [["0"] * size for _ in range(size)]
    for path in root.iter(f"{SVG}path"):
        squares = re.findall(r"M(\d+),(\d+)H(\d+)V(\d+)H\1z", path.attrib["d"])
        assert "".join(f"M{a},{b}H{c}V{d}H{a}z" for a, b, c, d in squares) == path.attrib["d"]
        for left, top, right, bottom in squares:
            for row in range(int(top), int(bottom)):
                for column in range(int(left), int(right)):
                    grid[row][column] = "1"
    return ["".join(row) for row in grid]


@pytest.mark.parametrize("text", ["https://example.com/p/#t=abc", "掼蛋", "a" * 500])
def test_finders_stand_inside_a_quiet_zone_of_four(text: str) -> None:
    grid = modules(qr_svg(text))
    size, edge = len(grid), QUIET_ZONE_MODULES
    assert (size - 2 * edge - 17) % 4 == 0
    for left, top in ((edge, edge), (size - edge - 7, edge), (edge, size - edge - 7)):
        assert [row[left : left + 7] for row in grid[top : top + 7]] == FINDER
    outside = grid[:edge] + grid[-edge:] + [row[:edge] + row[-edge:] for row in grid]
    assert not any("1" in row for row in outside)


def test_level_of_error_correction_is_m() -> None:
    grid = modules(qr_svg("https://example.com/p/#t=abc"))
    row = QUIET_ZONE_MODULES + 8
    first = grid[row][QUIET_ZONE_MODULES : QUIET_ZONE_MODULES + 5]
    format_start = int(first, 2) ^ (FORMAT_MASK >> 10)
    assert format_start >> 3 == LEVEL_M


def test_svg_scales_has_a_white_ground_and_no_style_attributes() -> None:
    svg = qr_svg("https://example.com")
    assert "viewBox" in svg
    assert 'fill="white"' in svg
    assert "style=" not in svg
    assert "<script" not in svg


def test_text_cannot_break_out_of_the_svg() -> None:
    assert "<b>" not in qr_svg('"><b>')


@pytest.mark.parametrize("text", ["", "a" * 3000])
def test_nothing_and_too_much_are_refused(text: str) -> None:
    with pytest.raises(ValueError):
        qr_svg(text)


def test_a_png_has_the_modules_of_the_svg() -> None:
    text = "http://weixin.qq.com/r/guanjun"
    head, _, body = qr_png(text).partition(",")
    assert head == "data:image/png;base64"
    width, _, rows, _ = png.Reader(bytes=base64.b64decode(body)).asDirect()
    pixels = [list(row) for row in rows]
    grid = modules(qr_svg(text))
    scale = width // len(grid)
    assert scale * len(grid) == width
    seen = ["".join("0" if value else "1" for value in row[::scale]) for row in pixels[::scale]]
    assert seen == grid
    with pytest.raises(ValueError, match="nothing"):
        qr_png("")
    with pytest.raises(ValueError, match="too long"):
        qr_png("掼" * 3000)
