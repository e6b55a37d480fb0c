"""Every act that the log can hold has words on the console; its code is shown to nobody."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from infra.launcher.paths import ROOT, WEB

_WRITERS = ("services", "workers")


def _written(tree: ast.AST) -> Iterator[str]:
    """The actions named in calls of ``audit.record`` and its like: constants, or one of two."""
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call):
            continue
        for keyword in call.keywords:
            if keyword.arg != "action":
                continue
            for node in ast.walk(keyword.value):
                if isinstance(node, ast.Constant) and re.fullmatch(r"\w+\.\w+", str(node.value)):
                    yield str(node.value)


def _sources() -> Iterator[Path]:
    for part in _WRITERS:
        yield from (ROOT / "chalicelib" / part).rglob("*.py")


def test_every_act_of_the_log_is_said_in_words() -> None:
    acts = {act for path in _sources() for act in _written(ast.parse(path.read_text(encoding="utf-8")))}
    words = (WEB / "src" / "console" / "overview" / "act-words.ts").read_text(encoding="utf-8")
    assert len(acts) > 50
    assert sorted(acts - set(re.findall(r"^  '([\w.]+)':", words, re.MULTILINE))) == []
