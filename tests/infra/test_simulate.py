"""The simulation itself: it must notice what is lost, count what it leaves out, and add up a bill rightly."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from chalicelib.services.table_changes import MOST_RECENT
from chalicelib.store.matches import Word, partition, word_key
from chalicelib.store.standings import find_pointer
from infra.simulate import bill, report
from infra.simulate.agenda import Agenda, VirtualTime
from infra.simulate.browser import Browser, Refused
from infra.simulate.checking import Findings, check
from infra.simulate.day import Day, Plan, played
from infra.simulate.facts import PlayedTable
from infra.simulate.idle import idle_after
from infra.simulate.ledger import API, Ledger
from infra.simulate.meter import Cost
from infra.simulate.settings import habits, price_list
from infra.simulate.watching import Moments, official, openings


def silent(line: str) -> None:
    """Nobody reads the progress."""


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Day]:
    """Sixteen players, two rounds."""
    with played(Plan(16, 2), tmp_path_factory.mktemp("day"), silent) as found:
        yield found


def some_word(day: Day) -> tuple[PlayedTable, str, Word]:
    """A word that counts: a table on whose result both sides agree."""
    table = next(table for table in day.facts.tables.values() if table.agreed and table.ruling is None)
    return table, "ns", Word.get(partition(day.owner.event_id, table.round), word_key(table.table, "ns"))


def test_a_small_day_loses_nothing(day: Day) -> None:
    findings = check(day)
    assert findings.sound, list(findings.lines())
    assert (findings.entries, findings.check_ins) == (8, 8)
    assert findings.words >= 2 * 2 * 4 - 2
    assert day.facts.replays > 0
    assert len(day.facts.tables) == 8


def test_a_lost_submission_is_noticed(day: Day) -> None:
    table, side, word = some_word(day)
    word.delete()
    try:
        findings = check(day)
        assert findings.lost == [f"round {table.round} table {table.table}: the word of {side}"]
        assert findings.differs, "the results without it are others"
    finally:
        word.save()
    assert check(day).sound


def test_a_submission_that_took_effect_twice_is_noticed(day: Day) -> None:
    table, side, word = some_word(day)
    version = int(word.version)
    word.update([Word.version.set(version + 1)])
    try:
        assert check(day).doubled == [f"round {table.round} table {table.table}: 2 words of {side}, taken were 1"]
    finally:
        word.update([Word.version.set(version)])


def test_a_public_page_that_says_something_else_is_noticed(day: Day) -> None:
    pointer = find_pointer(day.owner.event_id)
    assert pointer is not None
    key = f"pub/{day.owner.event_id}/standings/{pointer.standings}/1.json"
    file = day.stage.files.get(key)
    assert file is not None
    wrong = msgspec.json.decode(file.body)
    wrong["rows"][0]["rank"] = 7
    day.stage.files.put(key, msgspec.json.encode(wrong), file.content_type, file.cache_control)
    try:
        assert check(day).differs == ["the public standings differ from the pure function"]
    finally:
        day.stage.files.put(key, file.body, file.content_type, file.cache_control)


def test_an_answer_that_is_not_planned_ends_the_day(day: Day) -> None:
    with pytest.raises(Refused, match=r"POST /events/[^ ]+/rounds: 401"):
        Browser(day.stage, day.owner.event_id).change("POST", "/events/{event}/rounds", body={})


def counts(day: Day) -> dict[str, tuple[int, float, float, float]]:
    """What does not depend on this machine's speed."""
    return {
        kind.name: (kind.done.calls, kind.counted, kind.done.read_units, kind.done.write_units)
        for kind in day.stage.ledger.kinds.values()
    }


def test_equal_seeds_give_equal_days_and_others_other_ones(tmp_path: Path) -> None:
    found = []
    for name, seed in (("one", 3), ("again", 3), ("other", 4)):
        with played(Plan(8, 1, seed), tmp_path / name, silent) as each:
            found.append((counts(each), each.facts.waits))
    assert found[0] == found[1] != found[2]


def test_batches_that_are_left_out_are_counted_and_the_last_is_carried_out(tmp_path: Path) -> None:
    plan = Plan(16, 3, most_runs=1)
    assert plan.standings_every > 1
    with played(plan, tmp_path, silent) as each:
        standings = each.stage.ledger.kinds["standings"]
        assert standings.counted > 0
        assert standings.calls == len(each.streams.sizes["standings"])
        # Nothing was left undone: pages and pointer are those of all results.
        assert check(each).sound


def test_the_report_and_the_idle_month_can_be_read(day: Day) -> None:
    findings = Findings(words=1, lost=["round 1 table 1: the word of ns"])
    text = "\n".join(report.text(day, findings, None))
    assert "1 lost, 0 doubled" in text
    assert "nothing lost, doubled or wrong: NO" in text
    ledger, kept = idle_after(day)
    month = bill.usage_of(ledger, day.stage.memory, habits().cloud)
    # A minute, five minutes and twice an hour, for thirty days.
    assert month.invocations == 30 * 24 * (60 + 12 + 2)
    assert kept.table_bytes > 0
    document = report.document(day, findings, None)
    assert msgspec.json.decode(msgspec.json.encode(document))["players"] == 16
    # Against itself nothing has grown.
    assert set(re.findall(r" (\d+\.\d)(?: WORSE)?$", "\n".join(report.text(day, findings, document)), re.M)) >= {"1.0"}


def test_a_bill_is_amounts_times_list_prices() -> None:
    used = bill.Usage(
        api_requests=2e6, invocations=3e6, gb_seconds=100_000, cold_starts=0, read_units=8e6, write_units=2e6,
        stream_records=1e6, s3_writes=1000, s3_reads=10_000, edge_requests=4e6, edge_bytes=10e9, edge_functions=1e6,
        log_bytes=2e9, key_requests=10_000, sms=5,
    )  # fmt: skip
    prices = price_list().regions["us-east-1"]
    dollars = {line.what: round(line.dollars, 4) for line in bill.sheet(used, prices, streams_free=True)}
    assert dollars == {
        "API Gateway REST": 7.0,
        "Lambda calls": 0.6,
        "Lambda time": 1.6667,
        "DynamoDB reads": 1.0,
        "DynamoDB writes": 1.25,
        "DynamoDB streams": 0.0,
        "KMS for DynamoDB": 0.03,
        "S3 writes": 0.005,
        "S3 reads": 0.004,
        "CloudFront requests": 4.0,
        "CloudFront bytes": 0.85,
        "CloudFront function": 0.1,
        "CloudWatch logs": 1.0,
    }
    assert bill.total(bill.sheet(used, prices, streams_free=False)) == pytest.approx(sum(dollars.values()) + 0.2, 1e-4)
    # Ten alarms and ten figures are free in every account.
    kept = bill.Kept(table_bytes=4e9, file_bytes=0, alarms=12, figures=10)
    assert bill.total(bill.month(kept, prices, price_list())) == pytest.approx(4 * 0.25 + 4 * 0.2 + 2 * 0.1)


def test_prices_have_a_date_and_a_place() -> None:
    listed = price_list()
    assert re.fullmatch(r"20\d\d-(0[1-9]|1[0-2])", listed.date)
    for region, prices in listed.regions.items():
        assert all(value > 0 for value in msgspec.structs.asdict(prices).values() if not isinstance(value, str)), region


def test_what_was_counted_costs_what_was_measured() -> None:
    ledger = Ledger()
    for milliseconds in (10.0, 30.0):
        ledger.measured("GET /me", API, 0, Cost(calls=1, read_units=4), milliseconds)
    ledger.count("GET /me", 98)
    used = bill.usage_of(ledger, {API: 1024}, habits().cloud)
    assert used.api_requests == 100
    assert used.read_units == 400
    assert used.gb_seconds == pytest.approx(100 * 0.020 + used.cold_starts * habits().cloud.cold_start_ms / 1000)
    ledger.count("GET /time", 5)
    with pytest.raises(ValueError, match="never measured"):
        bill.usage_of(ledger, {API: 1024}, habits().cloud)


def test_functions_run_beside_each_other_in_virtual_time() -> None:
    time = VirtualTime(1000)
    agenda, seen = Agenda(time), []

    def slow() -> None:
        time.wait(5)
        seen.append(("slow", time.now))

    agenda.at(2000, slow)
    agenda.at(3000, lambda: seen.append(("beside", time.now)))
    agenda.at(9000, lambda: seen.append(("later", time.now)))
    agenda.run(until=8000)
    assert seen == [("slow", 7000), ("beside", 3000)]


@pytest.mark.parametrize("players", [6, 10, 4])
def test_players_who_cannot_sit_at_tables_are_refused(players: int) -> None:
    with pytest.raises(ValueError, match="multiple of 4"):
        Plan(players, 3)


WEB = Path(__file__).resolve().parents[2] / "web" / "src"


@pytest.mark.parametrize(
    ("file", "pattern", "habit"),
    [
        ("shared/pulse.ts", r"phone: ([\d_]+)", "phones.pulse"),
        ("shared/pulse.ts", r"phoneSoon: ([\d_]+)", "phones.pulse_soon"),
        ("shared/pulse.ts", r"phoneNear: ([\d_]+)", "phones.pulse_near"),
        ("play/use-visit.ts", r"const SOON = ([\d_]+)", "phones.soon_after_publish"),
        ("play/use-visit.ts", r"const AFTER_CHANGES = ([\d_]+)", "phones.after_changes"),
        ("play/situation.ts", r"const AT_ONCE = ([\d_]+)", "phones.own_table"),
        ("play/situation.ts", r"const LATER = ([\d_]+)", "phones.own_table_long"),
        ("play/situation.ts", r"const LATER = ([\d_]+)", "phones.touched_after"),
        ("play/use-player.ts", r"void visit\.refresh\(\)\n    else visit\.lookNow\(\)\n  }, ([\d_]+)\)", "phones.tick"),
        ("shared/pulse.ts", r"WATCHED = { often: ([\d_]+)", "staff.watch_often"),
        ("shared/pulse.ts", r"WATCHED = { often: ([\d_]+)", "staff.screen"),
        ("shared/pulse.ts", r"WATCHED = {.*seldom: ([\d_]+)", "staff.watch_seldom"),
        ("shared/pulse.ts", r"WATCHED = {.*screen: ([\d_]+)", "staff.screen_seldom"),
        ("shared/officials/table-watch.ts", r"FULL_LOOK = { least: ([\d_]+)", "staff.full_look"),
        ("shared/officials/table-watch.ts", r"FULL_LOOK = {.*ofATable: ([\d_]+)", "staff.full_look_of_a_table"),
        ("console/frame/event-context.ts", r"arriving: ([\d_]+)", "staff.frame_arriving"),
        ("console/frame/event-context.ts", r"playing: ([\d_]+)", "staff.frame"),
        ("console/overview/RecentActs.vue", r"const UNTOLD = ([\d_]+)", "staff.log"),
        ("console/overview/RecentActs.vue", r"const TOLD = ([\d_]+)", "staff.log_told"),
        ("console/desk/use-desk.ts", r"LOOKS = { least: ([\d_]+)", "staff.desk"),
        ("console/desk/use-desk.ts", r"LOOKS = {.*ofAnEntry: ([\d_]+)", "staff.desk_of_an_entry"),
    ],
)
def test_the_habits_are_those_of_the_pages(file: str, pattern: str, habit: str) -> None:
    found = re.search(pattern, (WEB / file).read_text("utf-8"))
    assert found is not None, f"{file} does not say {habit} any more"
    group, _, name = habit.partition(".")
    assumed = getattr(getattr(habits(), group), name)
    assert int(found.group(1).replace("_", "")) == round(1000 * assumed)


def test_the_habits_count_looks_as_the_pages_do() -> None:
    found = re.search(r"AWAITED_LOOKS = (\d+)", (WEB / "play" / "situation.ts").read_text("utf-8"))
    share = re.search(r"quietShare: (\d+)", (WEB / "shared" / "pulse.ts").read_text("utf-8"))
    near = re.search(r"NEAR_END = (\d+)", (WEB / "play" / "situation.ts").read_text("utf-8"))
    assert found is not None
    assert near is not None
    assert int(near.group(1)) == habits().phones.near_end
    assert habits().phones.recent == MOST_RECENT
    assert share is not None
    assert int(found.group(1)) == habits().phones.own_table_looks
    assert int(share.group(1)) == habits().staff.watch_quiet_share


def test_officials_look_closely_while_something_moves_and_ask_for_what_was_told() -> None:
    staff = habits().staff
    minute, never = 60_000.0, 1e12
    quiet = official(staff, Moments([], []), 0, never, 10 * minute, 4)
    busy_moments = [second * 1000.0 for second in range(0, 600, 2)]
    busy = official(staff, Moments(busy_moments, busy_moments), 0, never, 10 * minute, 4)
    assert quiet.changes == 0
    assert quiet.whole == busy.whole == 9
    assert busy.looks == 400 > 2 * quiet.looks * 0.9
    assert busy.changes + busy.whole == pytest.approx(300, abs=15)
    large = official(staff, Moments([], []), 0, never, 10 * minute, 2500)
    assert large.whole == 2
    in_play = official(staff, Moments([], []), 0, 0, 10 * minute, 4)
    assert in_play.looks == busy.looks


def test_a_phone_in_a_pocket_asks_only_for_what_concerns_it() -> None:
    phones, moved = habits().phones, (0.0, 120_000.0, 3_000_000.0)
    silent_round = openings(phones, random.Random(1), Moments([], []), moved, [(1e12, 1e12)] * 100)
    told = [float(moment) for moment in range(1_500_000, 2_900_000, 1000)]
    many = openings(phones, random.Random(1), Moments(told, told, told), moved, [(1e12, 1e12)] * 100)
    others = openings(phones, random.Random(1), Moments(told, told), moved, [(1e12, 1e12)] * 100)
    own = openings(phones, random.Random(1), Moments(told, told), moved, [(1_500_000.0, 2_000_000.0)] * 100)
    assert silent_round.files == 0
    assert others.me == silent_round.me < own.me <= 1
    assert 0 == others.files < many.files < 2
