"""Registering through the page: places, the waiting list, caps, phones, partners, deadlines."""

from __future__ import annotations

import base64
import dataclasses
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from chalicelib.services import entries, imports
from chalicelib.services.problems import Problem
from chalicelib.services.registration import own, page, partners, registering, waiting_list
from chalicelib.services.registration.forms import Partner, RegistrationForm
from chalicelib.services.views.entries import PlayerView
from chalicelib.services.views.registration import RegistrationPage, RegistrationView
from chalicelib.services.world import World
from chalicelib.store.entries import all_entries
from chalicelib.store.registrations import tally_of, ticket_of, waiting
from infra.local.engine import Engine
from tests.services.test_imports import roster
from tests.support.calls import a_call
from tests.support.hall import Pump
from tests.support.people import Hall, open_hall, phone
from tests.support.world import TestWorld


@pytest.fixture
def hall(world: TestWorld) -> Hall:
    return open_hall(world)


def pair(first: int, club: str = "") -> RegistrationForm:
    one, two = (PlayerView(f"选手{each:03d}", phone(each)) for each in (first, first + 1))
    return RegistrationForm([one, two], club=club)


def single(number: int, partner: Partner = "matched") -> RegistrationForm:
    return RegistrationForm([PlayerView(f"选手{number:03d}", phone(number))], partner=partner)


def register(hall: Hall, form: RegistrationForm, who: str = "browser:a") -> RegistrationView:
    return registering.register(hall.world, hall.event_id, who, form, a_call("anyone"))


def seen(hall: Hall, *whose: str) -> RegistrationPage:
    return page.page(hall.world, hall.event_id, whose or ("browser:nobody",))


def in_base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def states(hall: Hall) -> dict[int, str]:
    return {entry.number: entry.state for entry in entries.roster(hall.world, hall.event_id).entries}


def refused(act: Callable[..., object], *arguments: object) -> Problem:
    with pytest.raises(Problem) as refusal:
        act(*arguments)
    return refusal.value


def test_a_hundred_at_once_for_ten_places(hall: Hall) -> None:
    hall.configure(capacity=10)
    with ThreadPoolExecutor(16) as threads:
        made = list(threads.map(lambda index: register(hall, pair(100 + 2 * index), f"browser:{index}"), range(100)))
    found = all_entries(hall.event_id, ())
    assert sorted(entry.number for entry in found) == list(range(1, 101))
    assert sorted(entry.ticket or 0 for entry in found) == list(range(1, 101))
    # Exactly the first ten tickets are in; the others wait in the order of theirs.
    assert {entry.ticket for entry in found if entry.state == "in"} == set(range(1, 11))
    assert [ticket_of(item) for item in waiting(hall.event_id)] == list(range(11, 101))
    assert {view.number: view.state for view in made} == {entry.number: entry.state for entry in found}
    assert (seen(hall).teams, seen(hall).waiting, seen(hall).full) == (10, 90, True)


def test_the_same_phone_twice_is_refused_in_a_sentence(hall: Hall) -> None:
    register(hall, pair(100))
    problem = refused(register, hall, pair(101), "browser:b")
    assert (problem.code, problem.field) == ("phone_taken", "players[0].phone")
    assert problem.sentence("zh") == f"手机号 {phone(101)} 已在本场赛事报名。"
    twice = RegistrationForm([PlayerView("甲", phone(300)), PlayerView("乙", phone(300))])
    assert refused(register, hall, twice).code == "phone_twice"
    assert list(states(hall)) == [1]


def test_a_phone_that_two_send_at_once_plays_once_and_costs_no_place(hall: Hall) -> None:
    hall.configure(capacity=2)
    codes: list[str] = []

    def send(index: int) -> None:
        try:
            register(hall, pair(100), f"browser:{index}")
        except Problem as problem:
            codes.append(problem.code)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(send, range(8)))
    assert codes == ["phone_taken"] * 7
    assert register(hall, pair(200), "browser:z").state == "in"
    assert register(hall, pair(300), "browser:y").state == "waiting"


def test_a_withdrawal_moves_the_first_waiting_team_in(hall: Hall) -> None:
    hall.configure(capacity=2)
    made = [register(hall, pair(100 + 2 * index), f"browser:{index}") for index in range(5)]
    assert [view.state for view in made] == ["in", "in", "waiting", "waiting", "waiting"]
    assert seen(hall, "browser:4").mine[0].ahead == 2
    gone = own.withdraw(hall.world, hall.event_id, ["browser:0"], 1, a_call())
    assert gone.state == "withdrawn"
    assert states(hall) == {1: "withdrawn", 2: "in", 3: "in", 4: "waiting", 5: "waiting"}
    # One who waits leaves: the next free place goes past it.
    own.withdraw(hall.world, hall.event_id, ["browser:3"], 4, a_call())
    hall.owner.post(hall.path("/entries/2/withdrawal"), {"withdrawn": True, "reason": "有事"})
    assert states(hall) == {1: "withdrawn", 2: "withdrawn", 3: "in", 4: "withdrawn", 5: "in"}
    assert (seen(hall).teams, seen(hall).waiting) == (2, 0)
    assert register(hall, pair(300), "browser:9").state == "waiting"


def test_who_comes_back_is_the_organizers_guest_and_moves_nobody_out(hall: Hall) -> None:
    hall.configure(capacity=1)
    register(hall, pair(100), "browser:0")
    register(hall, pair(200), "browser:1")
    own.withdraw(hall.world, hall.event_id, ["browser:0"], 1, a_call())
    entries.withdraw(hall.world, hall.event_id, 1, False, "", "account:x", a_call())
    assert states(hall) == {1: "in", 2: "in"}
    register(hall, pair(300), "browser:2")
    entries.withdraw(hall.world, hall.event_id, 1, True, "", "account:x", a_call())
    assert states(hall) == {1: "withdrawn", 2: "in", 3: "waiting"}
    own.withdraw(hall.world, hall.event_id, ["browser:1"], 2, a_call())
    assert states(hall)[3] == "in"


def test_more_places_let_the_list_move_up(hall: Hall) -> None:
    hall.configure(capacity=1)
    for index in range(4):
        register(hall, pair(100 + 2 * index), f"browser:{index}")
    hall.configure(capacity=3)
    assert list(states(hall).values()) == ["in", "in", "in", "waiting"]
    assert hall.owner.post(hall.path("/waiting-list/admission")).json == {"admitted": 0, "unused": 0}


def test_organizers_entries_take_places_but_always_come_in(hall: Hall) -> None:
    hall.configure(capacity=3)
    hall.enter(1, first=500)
    imports.run(
        hall.world, hall.event_id, "名单.csv", in_base64(roster(1, first=600)), True, None, "account:x", a_call()
    )
    assert [register(hall, pair(100 + 2 * index), f"browser:{index}").state for index in range(2)] == ["in", "waiting"]
    hall.enter(1, first=700)
    assert list(states(hall).values()).count("in") == 4


def test_a_ticket_whose_request_died_is_given_back(hall: Hall, world: TestWorld) -> None:
    hall.configure(capacity=2)
    register(hall, pair(100), "browser:0")
    registering.take_ticket(world, hall.event_id)
    register(hall, pair(200), "browser:1")
    assert states(hall) == {1: "in", 3: "waiting"}
    assert waiting_list.reclaim(world, hall.event_id) == 0  # somebody may still be about to use it
    world.time.advance(minutes=3)
    assert waiting_list.reclaim(world, hall.event_id) == 1
    assert states(hall) == {1: "in", 3: "in"}
    assert waiting_list.reclaim(world, hall.event_id) == 0


def test_who_was_entered_while_a_place_became_free_moves_in_when_looking(hall: Hall, world: TestWorld) -> None:
    hall.configure(capacity=1)
    register(hall, pair(100), "browser:0")
    register(hall, pair(200), "browser:1")
    tally = tally_of(hall.event_id)
    tally.update(actions=[type(tally).freed.add(1)])
    assert seen(hall, "browser:1").mine[0].state == "in"


def test_a_cap_counts_teams_and_halves_and_forgets_who_withdrew(hall: Hall) -> None:
    hall.configure(entries_per_account=2, allow_single=True, capacity=1)
    register(hall, pair(100))
    register(hall, single(200))
    assert register(hall, single(201)).state == "single"
    assert refused(register, hall, single(202)).words == {"limit": 2}
    own.withdraw(hall.world, hall.event_id, ["browser:a"], 2, a_call())
    own.withdraw(hall.world, hall.event_id, ["browser:a"], 3, a_call())
    assert register(hall, pair(300)).state == "waiting"  # counts as well
    assert refused(register, hall, pair(400)).code == "cap_reached"
    assert register(hall, pair(400), "browser:b").state == "waiting"


def test_parallel_registrations_of_one_browser_do_not_pass_the_cap(hall: Hall) -> None:
    hall.configure(entries_per_account=3)

    def send(index: int) -> str:
        try:
            return register(hall, pair(100 + 2 * index)).state
        except Problem as problem:
            return problem.code

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(send, range(12)))
    assert sorted(answers) == ["cap_reached"] * 9 + ["in"] * 3


def test_a_single_is_refused_unless_allowed_but_may_invite(hall: Hall) -> None:
    assert refused(register, hall, single(100)).code == "single_not_allowed"
    made = register(hall, single(100, "invited"))
    assert made.state == "single"
    assert str(made.invitation).startswith(f"/e/{hall.event_id}#1.")
    assert refused(register, hall, RegistrationForm([PlayerView("甲", phone(300))])).code == "players_wrong"


def test_a_partner_joins_by_the_invitation_and_the_team_takes_its_place(hall: Hall, world: TestWorld) -> None:
    hall.configure(capacity=1)
    made = register(hall, single(100, "invited"), "browser:a")
    token = str(made.invitation).partition("#")[2]
    assert partners.invitation(world, hall.event_id, token).inviter == "选手100"
    assert (seen(hall).teams, seen(hall).full) == (0, False)
    team = partners.join(world, hall.event_id, "browser:b", token, PlayerView("选手101", phone(101)), a_call())
    assert (team.state, [player.phone_masked for player in team.players]) == ("in", ["138****0100", "138****0101"])
    assert [seen(hall, who).mine[0].number for who in ("browser:a", "browser:b")] == [1, 1]
    late = (world, hall.event_id, "browser:c", token, PlayerView("选手102", phone(102)), a_call())
    assert refused(partners.join, *late).code == "invitation_invalid"
    wrong = token[:-1] + ("A" if token[-1] != "A" else "B")
    assert refused(partners.invitation, world, hall.event_id, wrong).code == "invitation_invalid"


@pytest.mark.parametrize("same", [True, False])
def test_two_taps_on_joining_are_answered_alike_and_others_are_told(hall: Hall, world: TestWorld, same: bool) -> None:
    """Both have read the single before either of them joins; the second was told to try again later, as if busy."""
    made = register(hall, single(100, "invited"), "browser:a")
    token = str(made.invitation).partition("#")[2]
    first: list[RegistrationView] = []

    def join(where: World, who: str, number: int) -> RegistrationView:
        partner = PlayerView(f"选手{number}", phone(number))
        return partners.join(where, hall.event_id, who, token, partner, a_call())

    def between() -> int:
        """The other request runs to its end once this one has taken its ticket."""
        tally = tally_of(hall.event_id)
        if tally is not None and tally.tickets and not first:
            first.append(join(world, "browser:b", 101))
        return world.time()

    late = dataclasses.replace(world, clock=between)
    if same:
        assert join(late, "browser:b", 101) == first[0]
    else:
        assert refused(join, late, "browser:c", 102).code == "partner_joined"
    assert len(first) == 1
    assert [len(seen(hall, who).mine) for who in ("browser:b", "browser:c")] == [1, 0]
    assert seen(hall).teams == 1


def test_a_second_tap_long_after_the_first_is_told_of_the_team(hall: Hall, world: TestWorld) -> None:
    """It was told that somebody else had joined, or that the phone is taken: by the very person who tapped."""
    hall.configure(entries_per_account=1)
    made = register(hall, single(100, "invited"), "browser:a")
    token = str(made.invitation).partition("#")[2]

    def join(who: str, text: str) -> RegistrationView:
        return partners.join(world, hall.event_id, who, token, PlayerView("选手101", text), a_call())

    first = join("browser:b", phone(101))
    assert join("browser:b", phone(101)) == first
    assert join("browser:b", f" +86 {phone(101)} ") == first
    for who, text in (("browser:b", phone(102)), ("browser:c", phone(101)), ("browser:b", "")):
        assert refused(join, who, text).code in ("invitation_invalid", "phone_taken"), (who, text)
    hall.configure(registration_closed=True)
    assert join("browser:b", phone(101)) == first
    assert seen(hall).teams == 1


def test_the_organizer_matches_two_singles(hall: Hall) -> None:
    hall.configure(allow_single=True, capacity=1)
    register(hall, single(100), "browser:a")
    register(hall, single(200), "browser:b")
    register(hall, pair(300), "browser:c")
    refused_reply = hall.owner.post(hall.path("/matches-of-singles"), {"one": 1, "two": 3})
    assert (refused_reply.status, refused_reply.code) == (409, "not_single")
    reply = hall.owner.post(hall.path("/matches-of-singles"), {"one": 2, "two": 1})
    assert reply.status == 201
    assert [player["name"] for player in reply.json["players"]] == ["选手100", "选手200"]
    assert states(hall) == {1: "waiting", 3: "in"}  # the place went to the team that was complete first
    assert [view.number for view in seen(hall, "browser:b").mine] == [1]
    found = hall.owner.post(hall.path("/searches"), {"text": phone(200)}).json["candidates"]
    assert [(each["number"], each["player"]) for each in found] == [(1, 1)]
    own.withdraw(hall.world, hall.event_id, ["browser:b"], 1, a_call())
    assert register(hall, pair(400), "browser:b").state == "waiting"


def test_changing_keeps_the_phones_that_are_left_empty(hall: Hall) -> None:
    made = register(hall, pair(100))
    form = RegistrationForm([PlayerView("选手100", ""), PlayerView("选手900", phone(900))], "海风", "市南")
    changed = own.change(hall.world, hall.event_id, ["browser:a"], 1, form, made.version, a_call())
    assert (changed.name, changed.club, changed.club_counts) == ("海风", "市南", False)
    stored = entries.roster(hall.world, hall.event_id).entries[0]
    assert [player.phone for player in stored.players] == [phone(100), phone(900)]
    stale = (hall.world, hall.event_id, ["browser:a"], 1, form, made.version, a_call())
    problem = refused(own.change, *stale)
    assert (problem.code, problem.current) == ("stale_version", None)
    assert register(hall, pair(101), "browser:b").state == "in"  # the old partner's phone is free


def test_somebody_elses_registration_is_not_there(hall: Hall) -> None:
    register(hall, pair(100))
    assert refused(own.withdraw, hall.world, hall.event_id, ["browser:b"], 1, a_call()).code == "entry_not_found"
    assert seen(hall, "browser:b").mine == []


def test_closed_by_the_switch_and_by_the_end_of_the_event(hall: Hall) -> None:
    hall.configure(registration_closed=True)
    assert (refused(register, hall, pair(100)).code, seen(hall).closed_because) == ("registration_closed", "switch")
    hall.configure(registration_closed=False)
    assert seen(hall).open
    assert hall.owner.post(hall.path("/ending"), {"ended": True, "reason": ""}).status == 200
    assert (refused(register, hall, pair(100)).code, seen(hall).closed_because) == ("event_ended", "ended")


def test_a_club_is_demanded_where_it_must_not_be_empty(hall: Hall) -> None:
    hall.configure(allow_empty_club=False, clubs=["市南"])
    assert refused(register, hall, pair(100)).code == "club_missing"
    assert register(hall, pair(100, "市 南")).club_counts
    assert not register(hall, pair(200, "崂山")).club_counts


def test_a_registration_costs_three_requests(hall: Hall, engine: Engine) -> None:
    hall.configure(capacity=1)
    for first in (100, 200):  # in, and waiting
        engine.recorder.clear()
        register(hall, pair(first), f"browser:{first}")
        assert sum(engine.recorder.requests().values()) == 3


def test_whoever_registers_after_the_roster_was_packed_is_drawn(hall: Hall, engine: Engine) -> None:
    """Settings that move ranks wake the standings, which pack the roster as it is then; later registrations wake
    nobody, and the first drawing left them all out."""
    hall.configure(club_ranking={"on": True, "best": 2})
    Pump(engine).run()
    for first in (100, 102, 104, 106):
        register(hall, pair(first), f"browser:{first}")
    drawn = hall.owner.post(hall.path("/rounds"), {})
    assert drawn.status == 201, drawn.json
    names = {table[side]["name"] for table in drawn.json["tables"] for side in ("ns", "ew")}
    assert names == {f"选手{first:03d} / 选手{first + 1:03d}" for first in (100, 102, 104, 106)}


def test_more_places_move_the_waiting_list_up_in_ticket_order(hall: Hall) -> None:
    hall.configure(capacity=1)
    for place in range(5):
        register(hall, pair(100 + 2 * place), f"browser:{place}")
    own.withdraw(hall.world, hall.event_id, ["browser:2"], 3, a_call())  # a void ticket on the way
    hall.configure(capacity=3)
    assert states(hall) == {1: "in", 2: "in", 3: "withdrawn", 4: "in", 5: "waiting"}
    hall.configure(capacity=2)  # who is in stays in
    assert states(hall)[4] == "in"
    hall.configure(capacity=None)
    assert states(hall) == {1: "in", 2: "in", 3: "withdrawn", 4: "in", 5: "in"}
    assert (seen(hall).teams, seen(hall).waiting) == (4, 0)


def test_a_long_waiting_list_moves_up_as_a_whole(hall: Hall) -> None:
    hall.configure(capacity=1)
    for place in range(50):
        register(hall, pair(100 + 2 * place), f"browser:{place}")
    hall.configure(capacity=46)
    moved = states(hall)
    assert [number for number in moved if moved[number] == "in"] == list(range(1, 47))
    assert (seen(hall).teams, seen(hall).waiting) == (46, 4)


def test_places_added_among_parallel_registrations_leave_nobody_behind(hall: Hall) -> None:
    """Whoever read the old number of places while the new one was saved moves up when the page is shown."""
    hall.configure(capacity=2)

    def act(place: int) -> None:
        if place == 20:
            hall.configure(capacity=25)
        else:
            register(hall, pair(100 + 2 * place), f"browser:{place}")

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(act, range(40)))
    for place in range(40):
        seen(hall, f"browser:{place}")  # as each of them sees it after registering
    found = {entry.ticket or 0: entry.state for entry in all_entries(hall.event_id, ())}
    assert [ticket for ticket in sorted(found) if found[ticket] == "in"] == list(range(1, 26))
    assert (seen(hall).teams, seen(hall).waiting) == (25, 14)


def test_a_name_is_kept_without_marks_that_nobody_sees(hall: Hall) -> None:
    """They come along with what is copied; the player was not found by the name that stood in the list."""
    players = [PlayerView("\u202e\u200b选手\u202c100 ", phone(100)), PlayerView("选手101", phone(101))]
    made = register(hall, RegistrationForm(players))
    assert made.players[0].name == "选手100"
    (hit,) = hall.owner.post(hall.path("/searches"), {"text": "\ufeff选手100"}).json["candidates"]
    assert (hit["number"], hit["player"]) == (made.number, 0)
    nobody = RegistrationForm([PlayerView("\u200b\u200d", phone(200)), PlayerView("乙", phone(201))])
    assert refused(register, hall, nobody).field == "players[0].name"
