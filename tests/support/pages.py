"""Built pages in miniature: one file of each sort that the edge knows; and addresses to try on them."""

from __future__ import annotations

from pathlib import Path

PATHS = [
    "/",
    "/p",
    "/p/",
    "/p/abc",
    "/p/a/b/c",
    "/pub",
    "/play",
    "/play.html",
    "/pp",
    "/r",
    "/r/x",
    "/s",
    "/s/x/y",
    "/c",
    "/c/events/1",
    "/v",
    "/v/abc",
    "/e",
    "/e/abc",
    "/console.html",
    "/%70",
    "/p%2Fx",
    "/P",
    "//p",
    "/p//x",
    "/p/../c",
    "/assets/app.js",
    "/assets/none.js",
    "/nothing",
    "/sw.js",
    "/index.html",
    "/.git/config",
    "/api",
]


PAGES = ("index", "play", "ref", "screen", "console", "register", "event", "ladders", "wechat")


def small_pages(directory: Path) -> Path:
    """Write them into ``directory``; returns it."""
    directory.mkdir(exist_ok=True)
    for name in (*(f"{page}.html" for page in PAGES), "sw.js"):
        (directory / name).write_text(f"this is {name}", encoding="utf-8")
    (directory / "assets").mkdir()
    (directory / "assets" / "app.js").write_text("'use strict'", encoding="utf-8")
    return directory
