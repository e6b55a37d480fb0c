"""Built pages in miniature: one file of each sort that the edge knows."""

from __future__ import annotations

from pathlib import Path


def small_pages(directory: Path) -> Path:
    """Write them into ``directory``; returns it."""
    for name in ("index.html", "play.html", "ref.html", "screen.html", "console.html", "sw.js"):
        (directory / name).write_text(f"this is {name}", encoding="utf-8")
    (directory / "assets").mkdir()
    (directory / "assets" / "app.js").write_text("'use strict'", encoding="utf-8")
    return directory
