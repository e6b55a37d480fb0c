"""Imports: a dry run saves nothing, a commit saves all or nothing, whatever happens on the way."""

from __future__ import annotations

import base64

import pytest

from chalicelib.gateways.spreadsheets import read_sheets
from chalicelib.services import entries, events, imports, searches, workbooks
from chalicelib.services.finding import known_event
from chalicelib.services.once import AlreadyDone, Once
from chalicelib.services.permissions import Role
from chalicelib.services.phones import index_in
from chalicelib.services.problems import Problem
from chalicelib.services.roster import Correction
from chalicelib.services.typed_entries import TypedEntry
from chalicelib.services.views.entries import ImportReport, PlayerView
from chalicelib.store.claims import claim_phones
from chalicelib.store.events import Counter
from infra.local.engine import Engine, Fault, Faults
from infra.local.engine.engine import Request, Response
from tests.support.calls import a_call
from tests.support.people import Hall, open_hall, phone
from tests.support.world import TestWorld

HEADING = "队伍名称,选手1姓名,选手1手机号,选手2姓名,选手2手机号,团体"
OWNER = frozenset({Role.OWNER})


def roster(count: int, first: int = 100, club: str = "市南") -> bytes:
    rows = [
        f"第{index}队,选手{one:03d},{phone(one)},选手{one + 1:03d},{phone(one + 1)},{club}"
        for index in range(count)
        for one in [first + 2 * index]
    ]
    return "\n".join([HEADING, *rows]).encode()


def run(
    world: TestWorld,
    event_id: str,
    data: bytes,
    *,
    commit: bool = True,
    call: Once | None = None,
    columns: dict[str, str] | None = None,
) -> ImportReport:
    content = base64.b64encode(data).decode()
    return imports.run(world, event_id, "名单.csv", content, commit, columns, "account:x", call or a_call())


@pytest.fixture
def event_id(world: TestWorld) -> str:
    return open_hall(world).event_id


def numbers(world: TestWorld, event_id: str) -> list[int]:
    return [entry.number for entry in entries.roster(world, event_id).entries]


def test_a_dry_run_tells_everything_and_saves_nothing(world: TestWorld, event_id: str, engine: Engine) -> None:
    before = stored(engine)
    report = run(world, event_id, roster(3), commit=False)
    assert (report.committed, report.imported, report.rows_seen) == (False, 0, 3)
    assert [line.name for line in report.entries] == ["第0队", "第1队", "第2队"]
    assert report.clubs == ["市南"]
    assert [column.field for column in report.columns][-1] == "club"
    assert stored(engine) == before


def stored(engine: Engine) -> str:
    return str([engine.call("Scan", {"TableName": f"guanjun-local-{table}"}) for table in ("entries", "events")])


def test_a_commit_brings_everything_in(world: TestWorld, event_id: str) -> None:
    report = run(world, event_id, roster(30))
    assert (report.committed, report.imported, report.entries) == (True, 30, [])
    assert numbers(world, event_id) == list(range(1, 31))
    frame = events.read(world, event_id, OWNER)
    assert (frame.entries, frame.settings.clubs, frame.version) == (30, ["市南"], 2)
    assert searches.find(world, event_id, phone(159), "browser").candidates[0].number == 30
    assert searches.find(world, event_id, "选手100", "browser").candidates[0].number == 1


def test_clubs_of_a_file_join_the_list_once(world: TestWorld) -> None:
    hall = open_hall(world)
    hall.configure(clubs=["市 南", "崂山"])
    run(world, hall.event_id, roster(2, club="市南"))
    run(world, hall.event_id, roster(2, first=200, club="市北"))
    assert events.read(world, hall.event_id, OWNER).settings.clubs == ["市 南", "崂山", "市北"]


def test_files_one_after_another_go_on_counting(world: TestWorld, event_id: str) -> None:
    run(world, event_id, roster(3))
    hall_entry = TypedEntry("", "", [PlayerView("甲", phone(300)), PlayerView("乙", "")])
    assert entries.add(world, event_id, hall_entry, "account:x", a_call()).number == 4
    run(world, event_id, roster(3, first=200))
    assert numbers(world, event_id) == list(range(1, 8))


def test_with_a_fault_nothing_comes_in(world: TestWorld, event_id: str, engine: Engine) -> None:
    before = stored(engine)
    data = roster(3) + "\n第9队,选手900,1.38E+10,选手901,,市南".encode()
    assert [fault.code for fault in run(world, event_id, data, commit=False).faults] == ["digits_lost"]
    with pytest.raises(Problem) as refusal:
        run(world, event_id, data)
    assert (refusal.value.code, refusal.value.words) == ("roster_faults", {"count": 1})
    assert refusal.value.current["faults"][0]["row"] == 5
    assert stored(engine) == before


def test_phones_that_play_already_are_faults_of_their_rows(world: TestWorld, event_id: str) -> None:
    run(world, event_id, roster(2))
    report = run(world, event_id, roster(2, first=102), commit=False)
    assert [(fault.row, fault.code) for fault in report.faults] == [(2, "phone_taken"), (2, "phone_taken")]
    assert "2" in report.faults[0].message_zh


def test_columns_can_be_chosen_by_hand(world: TestWorld, event_id: str) -> None:
    data = f"甲列,乙列,丙列\n选手001,选手002,{phone(1)}\n".encode()
    assert [fault.code for fault in run(world, event_id, data, commit=False).faults] == ["no_heading"]
    chosen = {"1": "player_1_name", "2": "player_2_name", "3": "player_1_phone"}
    data = f"选手001,选手002,{phone(1)}\n".encode()
    report = run(world, event_id, data, commit=False, columns=chosen)
    assert [[player.phone for player in line.players] for line in report.entries] == [[phone(1), ""]]
    assert run(world, event_id, data, commit=False, columns={"1": "nonsense"}).faults[0].code == "bad_mapping"


@pytest.mark.parametrize("content", ["%%%", "AAA", "é"])
def test_what_is_no_base64(world: TestWorld, event_id: str, content: str) -> None:
    with pytest.raises(Problem) as refusal:
        imports.run(world, event_id, "x", content, False, None, "account:x", a_call())
    assert (refusal.value.code, refusal.value.field) == ("bad_value", "content")


@pytest.mark.parametrize("data", [b"", b"\x00\x01\x02", b"PK\x03\x04 no zip", b"%PDF-1.4"])
def test_what_is_no_roster_is_one_fault_of_the_whole_file(world: TestWorld, event_id: str, data: bytes) -> None:
    report = run(world, event_id, data, commit=False)
    assert [fault.row for fault in report.faults] == [0]


def test_a_club_name_longer_than_settings_take_is_a_fault(world: TestWorld, event_id: str) -> None:
    report = run(world, event_id, roster(1, club="市" * 61), commit=False)
    assert [fault.code for fault in report.faults] == ["club_too_long"]


def test_the_same_request_again_imports_once(world: TestWorld, event_id: str) -> None:
    call = a_call(key="import-key-1")
    first = run(world, event_id, roster(5), call=call)
    with pytest.raises(AlreadyDone) as again:
        run(world, event_id, roster(5), call=call)
    assert again.value.given.body["imported"] == first.imported == 5
    assert numbers(world, event_id) == [1, 2, 3, 4, 5]


class _Killed(BaseException):
    """As if the process died: nothing that cleans up runs, not even ``except Exception``."""


class _Interrupting:
    """Stands before an engine's ``call`` and dies, or does something else first, at the n-th write."""

    def __init__(self, engine: Engine, at: int, act: object = None) -> None:
        self._call, self._at, self._act, self.writes = engine.call, at, act, 0

    def __call__(self, operation: str, request: Request) -> Response:
        if operation in ("TransactWriteItems", "BatchWriteItem", "UpdateItem"):
            self.writes += 1
            if self.writes == self._at:
                if callable(self._act):
                    self._act()
                else:
                    raise _Killed
        return self._call(operation, request)


def test_killed_between_any_two_writes_it_leaves_nothing_visible(
    world: TestWorld, event_id: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    count, died = 70, 0
    for at in range(1, 100):
        with monkeypatch.context() as patch:
            interrupting = _Interrupting(engine, at)
            patch.setattr(engine, "call", interrupting)
            try:
                run(world, event_id, roster(count))
            except _Killed:
                died += 1
            else:
                break
        assert numbers(world, event_id) == []
        assert events.read(world, event_id, OWNER).entries == 0
        with pytest.raises(Problem):
            searches.find(world, event_id, phone(100), "browser")
    # Every write was died at once, and the attempt after the last of them went through undisturbed.
    assert died >= 6
    assert len(numbers(world, event_id)) == count
    assert searches.find(world, event_id, phone(100), "browser").candidates[0].partners == ["选手101"]


def test_phones_of_an_import_that_died_are_free(
    world: TestWorld, event_id: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(engine, "call", _Interrupting(engine, 4))
        with pytest.raises(_Killed):
            run(world, event_id, roster(10))
    typed = TypedEntry("", "", [PlayerView("甲", phone(100)), PlayerView("乙", phone(119))])
    entered = entries.add(world, event_id, typed, "account:x", a_call())
    assert numbers(world, event_id) == [entered.number]


@pytest.mark.parametrize("at", range(2, 7))
def test_an_entry_typed_meanwhile_is_neither_lost_nor_doubled(
    world: TestWorld, event_id: str, engine: Engine, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    typed = TypedEntry("", "", [PlayerView("甲", phone(103)), PlayerView("乙", phone(400))])

    def meanwhile() -> None:
        entries.add(world, event_id, typed, "account:x", a_call())

    monkeypatch.setattr(engine, "call", _Interrupting(engine, at, meanwhile))
    with pytest.raises(Problem) as refusal:
        run(world, event_id, roster(30))
    assert refusal.value.code in ("roster_faults", "phone_taken")
    assert len(numbers(world, event_id)) == 1
    assert searches.find(world, event_id, phone(103), "browser").candidates[0].name == "甲"
    assert searches.find(world, event_id, phone(400), "browser").candidates[0].name == "乙"


def test_an_entry_of_others_typed_meanwhile_does_not_stop_an_import(
    world: TestWorld, event_id: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = TypedEntry("", "", [PlayerView("甲", phone(400)), PlayerView("乙", "")])

    def meanwhile() -> None:
        entries.add(world, event_id, typed, "account:x", a_call())

    monkeypatch.setattr(engine, "call", _Interrupting(engine, 4, meanwhile))
    assert run(world, event_id, roster(30)).imported == 30
    assert len(numbers(world, event_id)) == 31
    assert events.read(world, event_id, OWNER).entries == 31


def test_imports_survive_what_a_store_does_under_load(world: TestWorld, event_id: str, engine: Engine) -> None:
    engine.faults = Faults(
        5, {Fault.TRANSACTION_CONFLICT: 0.2, Fault.UNPROCESSED: 0.2, Fault.LOST_REPLY: 0.1, Fault.THROTTLING: 0.05}
    )
    run(world, event_id, roster(120))
    injected = engine.faults.injected
    engine.faults = None
    assert injected[Fault.UNPROCESSED] > 0
    assert len(numbers(world, event_id)) == 120
    for number in (100, 219, 339):
        assert searches.find(world, event_id, phone(number), "browser").candidates


def test_too_many_entries_are_refused_before_anything_is_written(world: TestWorld, event_id: str) -> None:
    full = entries.MOST_ENTRIES
    Counter(event_id, "COUNTER#entries", value=full - 5).save()
    run(world, event_id, roster(3))
    with pytest.raises(Problem) as refusal:
        run(world, event_id, roster(3, first=200))
    assert refusal.value.code == "too_many_entries"
    run(world, event_id, roster(2, first=200))
    assert numbers(world, event_id) == list(range(full - 4, full + 1))


def test_an_ended_event_imports_nothing(world: TestWorld, event_id: str) -> None:
    events.set_ended(world, event_id, True, "", "account:x", OWNER, a_call())
    with pytest.raises(Problem) as refusal:
        run(world, event_id, roster(1))
    assert refusal.value.code == "event_ended"


def test_what_is_downloaded_can_be_imported_again(world: TestWorld) -> None:
    first, second = open_hall(world, "13800130001"), open_hall(world, "13800130002")
    run(world, first.event_id, roster(48))
    body, filename = workbooks.download(world, first.event_id, "entries", "zh")
    assert filename == "周三夜赛-报名表.xlsx"
    assert run(world, second.event_id, body).imported == 48
    assert people(world, first) == people(world, second)


def people(world: TestWorld, hall: Hall) -> list[object]:
    return [(entry.name, entry.club, entry.players) for entry in entries.roster(world, hall.event_id).entries]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_template_has_the_columns_an_import_understands(world: TestWorld, event_id: str, language: str) -> None:
    body, _ = workbooks.download(world, event_id, "template", language)
    sheets = read_sheets(body)
    assert isinstance(sheets, tuple)
    report = run(world, event_id, body, commit=False)
    assert {"player_1_name", "player_1_phone", "player_2_name", "player_2_phone", "club"} <= {
        column.field for column in report.columns
    }
    assert [fault.code for fault in report.faults] == ["no_rows"]


def test_a_phone_that_an_entry_holds_is_never_claimed(world: TestWorld, event_id: str) -> None:
    """The plain client's claims hold to the same condition as an entry's own transaction."""
    run(world, event_id, roster(2))
    imports_of = known_event(event_id)[0].imports or ()
    claims = [(index_in(world, event_id, phone(number)), 90, 0) for number in (300, 101, 301)]
    held = claim_phones(event_id, "another", imports_of, claims, "token-1", world.sleep, world.random.fraction)
    assert held == 1
    # All or none: the free ones were not taken either, and once they are, claiming them again changes nothing.
    free = [claims[0], claims[2]]
    for token in ("token-2", "token-3"):
        assert claim_phones(event_id, "another", imports_of, free, token, world.sleep, world.random.fraction) is None
    with pytest.raises(Problem, match="nobody_found"):
        searches.find(world, event_id, phone(300), "browser")


FAULTY = "\n".join(
    [
        HEADING,
        f"海风,选手100,{phone(100)},选手101,1380013,市南",
        f"海浪,选手102,{phone(102)},,{phone(103)},市南",
        f"海鸥,选手104,{phone(104)},选手105,{phone(105)},市南",
    ]
).encode()


def corrected_run(
    world: TestWorld, event_id: str, corrections: list[Correction], *, commit: bool = True
) -> ImportReport:
    content = base64.b64encode(FAULTY).decode()
    call = a_call()
    return imports.run(world, event_id, "名单.csv", content, commit, None, "account:x", call, corrections=corrections)


def test_faulty_rows_come_with_their_cells_to_be_put_right(world: TestWorld, event_id: str) -> None:
    report = corrected_run(world, event_id, [], commit=False)
    assert {(fault.row, fault.code) for fault in report.faults} == {(2, "phone_length"), (3, "player_missing")}
    assert [line.row for line in report.rows] == [2, 3]
    cells = {cell.column: cell.text for cell in report.rows[0].cells}
    assert cells == {1: "海风", 2: "选手100", 3: phone(100), 4: "选手101", 5: "1380013", 6: "市南"}


def test_a_row_put_right_in_the_preview_is_checked_again_and_comes_in(world: TestWorld, event_id: str) -> None:
    half = [Correction(2, 5, " 138 0013 0101 ")]
    report = corrected_run(world, event_id, half, commit=False)
    assert {(fault.row, fault.code) for fault in report.faults} == {(3, "player_missing")}
    with pytest.raises(Problem, match="roster_faults"):
        corrected_run(world, event_id, half)
    assert numbers(world, event_id) == []
    whole = [*half, Correction(3, 4, "选手103")]
    assert corrected_run(world, event_id, whole).imported == 3
    names = [[player.name for player in entry.players] for entry in entries.roster(world, event_id).entries]
    assert names == [["选手100", "选手101"], ["选手102", "选手103"], ["选手104", "选手105"]]


def test_a_correction_can_bring_a_new_fault(world: TestWorld, event_id: str) -> None:
    report = corrected_run(world, event_id, [Correction(2, 5, phone(104)), Correction(3, 4, "选手103")], commit=False)
    assert {(fault.row, fault.code) for fault in report.faults} == {(2, "phone_duplicate"), (4, "phone_duplicate")}


def test_corrections_of_rows_that_the_file_does_not_have_change_nothing(world: TestWorld, event_id: str) -> None:
    before = corrected_run(world, event_id, [], commit=False)
    assert corrected_run(world, event_id, [Correction(99, 3, "甲")], commit=False) == before
