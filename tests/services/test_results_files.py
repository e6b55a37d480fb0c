"""What leaves the house: the event as a document, and workbooks of results and standings."""

from __future__ import annotations

import io

import msgspec
import openpyxl
import pytest

from chalicelib.rules.document import parse
from chalicelib.rules.standings import standings
from chalicelib.services import adjustments, documents, entries, workbooks
from chalicelib.services.settings import ClubRanking
from chalicelib.services.views.entries import PlayerView
from tests.support.hall import ORGANIZER, Hall, open_hall
from tests.support.refusals import refused
from tests.support.world import TestWorld


@pytest.fixture
def hall(world: TestWorld) -> Hall:
    """Five pairs of two clubs after two rounds with a bye, a forfeit and an open table."""
    hall = open_hall(world, 4, clubs=["市南", "崂山"], club_ranking=ClubRanking(on=True, best=2))
    players = [PlayerView("选手009", "13800138009"), PlayerView("选手010", "")]
    typed = entries.TypedEntry("海风", "崂山", players)
    entries.add(world, hall.event_id, typed, ORGANIZER, hall.keys.fresh())
    hall.play(1)
    hall.confirm(1, 1, "A", "9")
    hall.rule(1, 2, "", "", "未到场", outcome="ew_forfeit")
    hall.play(2)
    hall.confirm(2, 1, "K", "A+")
    return hall


def test_the_document_is_sound_and_complete(hall: Hall) -> None:
    body, filename = documents.export(hall.world, hall.event_id)
    event = parse(body)
    assert filename == "周三夜赛.json"
    assert [table.outcome.value for table in event.drawn[0].tables] == ["played", "ew_forfeit"]
    assert [table.outcome.value for table in event.drawn[1].tables] == ["played", "unplayed"]
    assert [len(drawn.byes) for drawn in event.drawn] == [1, 1]
    assert event.entries[4].players[0].phone == "13800138009"
    # Written and read again it is the same event.
    assert parse(body) == event


def test_a_draft_is_no_part_of_the_document(world: TestWorld) -> None:
    hall = open_hall(world, 4)
    hall.draw()
    body, _ = documents.export(world, hall.event_id)
    assert parse(body).drawn == ()


def test_adjustments_come_along(hall: Hall) -> None:
    given = adjustments.Given(1, 1, "match_points", -0.5, "迟到")
    adjustments.give(hall.world, hall.event_id, given, "referee", hall.keys.fresh("referee", 201))
    body, _ = documents.export(hall.world, hall.event_id)
    assert msgspec.json.decode(body)["adjustments"] == [msgspec.to_builtins(given)]


def sheets(hall: Hall, name: str, language: str = "zh") -> dict[str, list[tuple[object, ...]]]:
    """The cells of a workbook by sheet."""
    body, filename = workbooks.download(hall.world, hall.event_id, name, language)
    assert filename.endswith(".xlsx")
    book = openpyxl.load_workbook(io.BytesIO(body))
    return {sheet.title: list(sheet.iter_rows(values_only=True)) for sheet in book}


def test_the_standings_workbook_says_what_the_document_says(hall: Hall) -> None:
    rows = sheets(hall, "standings")["排名"]
    body, _ = documents.export(hall.world, hall.event_id)
    ranked = standings(parse(body)).rows
    heading = next(index for index, row in enumerate(rows) if "名次" in row)
    column = rows[heading].index("编号")
    assert [row[column] for row in rows[heading + 1 :]] == [row.entry for row in ranked]
    points = rows[heading].index("场分")
    assert [float(str(row[points])) for row in rows[heading + 1 :]] == [
        float(str(row.values["match_points"])) for row in ranked
    ]
    assert "团体排名" in sheets(hall, "standings")


def test_the_results_workbook_has_a_sheet_for_each_round(hall: Hall) -> None:
    found = sheets(hall, "results", "en")
    assert list(found) == ["Round 1 results", "Round 2 results", "Standings"]
    cells = [cell for row in found["Round 1 results"] for cell in row]
    assert "A" in cells
    assert "9" in cells


def test_everything_in_one_workbook(hall: Hall) -> None:
    found = sheets(hall, "workbook")
    assert {"报名", "第1轮成绩", "第2轮成绩", "排名", "团体排名"} <= set(found)


def test_no_other_workbook(hall: Hall) -> None:
    assert refused(workbooks.download, hall.world, hall.event_id, "secrets", "zh").code == "not_found"
