"""`guanjun demo`: what people read, and that robots really play behind it."""

from __future__ import annotations

import json
import time
import urllib.request
from argparse import Namespace
from pathlib import Path

import pytest

from infra.commands import demo
from infra.local.runner import running


def test_it_prints_where_to_look_and_robots_play(tmp_path: Path) -> None:
    wanted = Namespace(kind="pairs", entries=4, rounds=1, seconds=20)
    with running(tmp_path) as server:
        said = demo._begin(f"{server.url}/", wanted)
        assert demo.ORGANIZER in said
        play = next(word for line in said.splitlines() if "players" in line for word in line.split() if "/p/" in word)
        event_id = play.rpartition("/")[2]

        published = False
        for _ in range(600):
            with urllib.request.urlopen(f"{server.url}/pub/{event_id}/pulse.json") as reply:
                published = json.load(reply)["round"] == 1
            if published:
                break
            time.sleep(0.1)
        assert published, "no round was published within a minute"


@pytest.mark.parametrize(
    "words", [["--kind", "bridge"], ["--entries", "3"], ["--rounds", "9"], ["--seconds", "1"], ["--entries", "x"]]
)
def test_what_cannot_be_played_is_refused_in_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        demo.run(words)
    assert ended.value.code == 2
    assert "error" in capsys.readouterr().err
