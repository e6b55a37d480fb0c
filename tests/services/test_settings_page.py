"""docs/settings.md: every setting stands there once, and every test it names exists."""

from __future__ import annotations

import re
from pathlib import Path

from chalicelib.services.settings import Settings

ROOT = Path(__file__).parents[2]
ROWS = [
    [cell.strip() for cell in line.split("|")[1:-1]]
    for line in (ROOT / "docs" / "settings.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| `")
]


def test_every_setting_stands_there_once() -> None:
    assert sorted(row[0].strip("`") for row in ROWS) == sorted(Settings.__struct_fields__)


def test_the_tests_it_names_speak_of_the_setting() -> None:
    for cell, _, where, tests in ROWS:
        field = cell.strip("`")
        named = re.findall(r"`([\w/.-]+\.(?:py|ts))`", tests)
        assert named or ("later part" in where and tests == "none yet"), field
        files = [ROOT / path if path.startswith("web/") else ROOT / "tests" / path for path in named]
        assert any(field in file.read_text(encoding="utf-8") for file in files) or not named, field
