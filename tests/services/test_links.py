"""Links: what they give, what renewing them takes away, what a QR code of them shows."""

from __future__ import annotations

import pytest

from chalicelib.services import links
from chalicelib.services.permissions import LINK_ROLES, Role
from chalicelib.services.problems import Problem
from tests.support.calls import a_call
from tests.support.people import open_hall
from tests.support.world import TestWorld


def tokens(world: TestWorld, event_id: str) -> dict[str, str]:
    return {view.role: view.path.partition("#")[2] for view in links.listed(world, event_id).links}


def test_each_link_gives_its_own_role(world: TestWorld) -> None:
    event_id = open_hall(world).event_id
    found = tokens(world, event_id)
    assert (found.pop("play"), found.pop("registration")) == ("", "")
    assert set(found) == set(LINK_ROLES)
    for role, token in found.items():
        session, cookie = links.exchange(world, event_id, token)
        assert (session.role, session.event_id, cookie) == (role, event_id, token)
        assert session.csrf == links.csrf_of(world, token)
        assert session.csrf != token
    assert len(set(found.values())) == 3


def test_a_token_is_good_for_its_event_only(world: TestWorld) -> None:
    first = open_hall(world, "13800130001").event_id
    second = open_hall(world, "13800130002").event_id
    token = tokens(world, first)["referee"]
    assert links.role_of(world, first, token) is Role.REFEREE
    assert links.role_of(world, second, token) is None
    assert links.role_of(world, "no-event", token) is None
    for broken in ("", token[:-1], token + "A", token.swapcase(), "é" * 32):
        assert links.role_of(world, first, broken) is None
        with pytest.raises(Problem) as refusal:
            links.exchange(world, first, broken)
        assert refusal.value.code == "link_invalid"


def test_a_token_cannot_be_guessed_without_the_secret(world: TestWorld) -> None:
    event_id = open_hall(world).event_id
    other = TestWorld(secret=b"another secret", files=world.files, sms=world.sms)
    assert links.token_of(other, event_id, Role.REFEREE, 1) != tokens(world, event_id)["referee"]


def test_renewing_takes_the_old_link_away_at_once_and_no_other(world: TestWorld) -> None:
    event_id = open_hall(world).event_id
    before = tokens(world, event_id)
    links.exchange(world, event_id, before["referee"])
    renewed = links.renew(world, event_id, "referee", "account:x", a_call())
    after = tokens(world, event_id)
    assert links.role_of(world, event_id, before["referee"]) is None
    assert links.role_of(world, event_id, after["referee"]) is Role.REFEREE
    assert after["desk"] == before["desk"]
    view = next(view for view in renewed.links if view.role == "referee")
    assert (view.generation, view.last_used_at) == (2, None)


def test_a_link_shows_when_it_was_last_used(world: TestWorld) -> None:
    event_id = open_hall(world).event_id
    token = tokens(world, event_id)["desk"]

    def used() -> int | None:
        return next(view.last_used_at for view in links.listed(world, event_id).links if view.role == "desk")

    assert used() is None
    first = world.now()
    links.exchange(world, event_id, token)
    world.time.advance(minutes=9)
    links.role_of(world, event_id, token)
    assert used() == first
    later = world.time.advance(minutes=1)
    links.role_of(world, event_id, token)
    assert used() == later


def test_qr_codes_lead_where_they_say(world: TestWorld) -> None:
    event_id = open_hall(world).event_id
    public = links.public_qr(world, event_id, "play", "http://192.168.1.5:8000")
    referee = links.link_qr(world, event_id, "referee", "https://example.org")
    assert public.startswith(b"<svg")
    assert referee.startswith(b"<svg")
    assert public != links.public_qr(world, event_id, "play", "http://192.168.1.6:8000")
    assert referee != links.link_qr(world, event_id, "desk", "https://example.org")


@pytest.mark.parametrize(
    "origin", ["", "javascript:alert(1)", "https://example.org/path", "https://a@b", "//x", "http://"]
)
def test_a_qr_code_is_made_for_an_origin_only(world: TestWorld, origin: str) -> None:
    event_id = open_hall(world).event_id
    with pytest.raises(Problem) as refusal:
        links.public_qr(world, event_id, "play", origin)
    assert (refusal.value.code, refusal.value.field) == ("bad_value", "origin")


def test_what_is_not_there_is_not_found(world: TestWorld) -> None:
    event_id = open_hall(world).event_id
    for code, act in (
        ("event_not_found", lambda: links.listed(world, "no-event")),
        ("event_not_found", lambda: links.renew(world, "no-event", "desk", "account:x", a_call())),
        ("event_not_found", lambda: links.public_qr(world, "no-event", "play", "https://example.org")),
        ("not_found", lambda: links.public_qr(world, event_id, "referee", "https://example.org")),
        ("not_found", lambda: links.link_qr(world, event_id, "owner", "https://example.org")),
    ):
        with pytest.raises(Problem) as refusal:
            act()
        assert refusal.value.code == code
