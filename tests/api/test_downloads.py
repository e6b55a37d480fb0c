"""Files as a browser gets them, by following a link."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping

import pytest
from openpyxl import load_workbook

from chalicelib.api.framework import XLSX
from tests.support.people import Hall, open_hall
from tests.support.world import TestWorld

# What a browser wants when a link is followed; when a link is saved, Chromium says nothing.
FOLLOWED = {"accept": "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"}
SAVED = {"accept": None}


@pytest.fixture
def hall(world: TestWorld) -> Hall:
    """An event of four pairs in its first round."""
    hall = open_hall(world)
    hall.enter(4)
    hall.start_round()
    return hall


@pytest.mark.parametrize("name", ["template", "entries", "standings", "results", "workbook"])
@pytest.mark.parametrize("headers", [FOLLOWED, SAVED, {"accept": "application/json"}])
def test_a_workbook_arrives_as_the_bytes_of_a_workbook(
    hall: Hall, name: str, headers: Mapping[str, str | None]
) -> None:
    reply = hall.owner.get(hall.path(f"/files/{name}"), headers=headers)
    assert reply.status == 200
    assert reply.headers["content-type"] == XLSX
    assert reply.headers["content-disposition"].startswith("attachment; filename*=UTF-8''")
    assert load_workbook(io.BytesIO(reply.body)).sheetnames


def test_the_document_arrives_as_json(hall: Hall) -> None:
    reply = hall.owner.get(hall.path("/document"), headers=FOLLOWED)
    assert reply.status == 200
    assert len(json.loads(reply.body)["entries"]) == 4
