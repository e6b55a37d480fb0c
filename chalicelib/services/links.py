"""Links that give a role in one event: referee, desk, display.

A token is the HMAC of event, role and generation under the deployment secret: it can be shown at any time and is
renewed by raising the generation. It stands in an address's fragment and is exchanged for a cookie.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re

import msgspec
from pynamodb.exceptions import UpdateError

from chalicelib.services import audit
from chalicelib.services.once import Once, transaction
from chalicelib.services.permissions import LINK_ROLES, Role
from chalicelib.services.problems import Problem
from chalicelib.services.views.accounts import LinkSession
from chalicelib.services.views.events import Links, LinkView
from chalicelib.services.world import World
from chalicelib.store import bulk
from chalicelib.store.events import Link, find_event
from chalicelib.store.tables import whole

COOKIE_SECONDS = 30 * 86_400
USED_EVERY_SECONDS = 600
"""How exact "last used" is."""

_PAGES = {"play": "p", Role.REFEREE: "r", Role.DESK: "c", Role.DISPLAY: "s"}
"""The first letter of a page's path: phone, referee, console, screen."""
_ORIGIN = re.compile(r"https?://[A-Za-z0-9.\-]{1,253}(:[0-9]{1,5})?|https?://\[[0-9a-fA-F:.]{2,45}\](:[0-9]{1,5})?")
HOME = "home"
"""The code of the platform's own page."""


def token_of(world: World, event_id: str, role: Role, generation: int) -> str:
    """The token of one generation of a link: 32 characters, URL-safe."""
    text = f"link\n{event_id}\n{role}\n{generation}"
    return _short(hmac.new(world.secret, text.encode(), hashlib.sha256).digest()[:24])


def csrf_of(world: World, token: str) -> str:
    """What requests made with this link's or device's cookie must carry in X-CSRF-Token."""
    return _short(hmac.new(world.secret, b"csrf\n" + token.encode(), hashlib.sha256).digest()[:24])


def fresh(event_id: str) -> list[Link]:
    """The links of a new event, to be put with it."""
    return [Link(event_id, f"LINK#{role}", generation=1) for role in LINK_ROLES]


def role_of(world: World, event_id: str, token: str) -> Role | None:
    """The role that ``token`` gives in the event now, or None. One BatchGet; every link is compared."""
    found: Link | None = None
    for role, link in _links(world, event_id).items():
        expected = token_of(world, event_id, role, int(link.generation))
        if hmac.compare_digest(expected.encode(), token.encode()):
            found = link
    if found is None:
        return None
    now = world.now()
    used = whole(found.last_used_at)
    if used is None or now - used >= USED_EVERY_SECONDS * 1000:
        _used(found, now)
    return Role(found.sk.removeprefix("LINK#"))


def _used(link: Link, now: int) -> None:
    try:
        link.update(actions=[Link.last_used_at.set(now)], condition=Link.generation == link.generation)
    except UpdateError as error:
        if error.cause_response_code != "ConditionalCheckFailedException":
            raise
        # Renewed this very moment: the new generation was not used.


def exchange(world: World, event_id: str, token: str) -> tuple[LinkSession, str]:
    """The session that a link's token opens, and the cookie's value. Raises link_invalid."""
    role = role_of(world, event_id, token)
    if role is None:
        raise Problem("link_invalid", "token")
    return LinkSession(event_id, str(role), csrf_of(world, token)), token


def listed(world: World, event_id: str) -> Links:
    """All links of the event with their paths; ``play`` and ``registration`` are public and have no token.

    Raises event_not_found.
    """
    links = _links(world, event_id)
    if not links:
        raise Problem("event_not_found")
    return Links([*_public(event_id), *(_view(world, event_id, link) for link in links.values())])


def renew(world: World, event_id: str, role: str, actor: str, call_once: Once) -> Links:
    """Raise a link's generation: the old token stops working at once. Raises event_not_found, stale_version."""
    wanted = Role(role)
    links = _links(world, event_id)
    if wanted not in links:
        raise Problem("event_not_found")
    link = links[wanted]
    seen = int(link.generation)
    link.generation = seen + 1
    link.last_used_at = None
    view = Links([*_public(event_id), *(_view(world, event_id, each) for each in links.values())])
    change = transaction(world)
    call_once.record(change, msgspec.to_builtins(view), world)
    change.update(
        Link(event_id, link.sk),
        [Link.generation.set(seen + 1), Link.last_used_at.remove()],
        Link.generation == seen,
        lambda _: Problem("stale_version"),
    )
    audit.record(
        change,
        world,
        event_id=event_id,
        actor=actor,
        action="link.renew",
        subject=role,
        details={"generation": seen + 1},
    )
    change.commit()
    return view


def public_qr(world: World, event_id: str, code: str, origin: str) -> bytes:
    """SVG of a public page's address under ``origin``; ``code``: play, registration, or home (the platform's own).

    Raises event_not_found, not_found.
    """
    paths = {**{link.role: link.path for link in _public(event_id)}, HOME: "/"}
    if code not in paths:
        raise Problem("not_found")
    base = checked_origin(origin)
    if find_event(event_id) is None:
        raise Problem("event_not_found")
    return _svg(base + paths[code])


def entry_qr(event_id: str, number: int, origin: str) -> bytes:
    """SVG of an entry's own code, which the desk scans: the phone page's address with the entry's number."""
    return _svg(f"{checked_origin(origin)}/p/{event_id}?n={number}")


def link_qr(world: World, event_id: str, role: str, origin: str) -> bytes:
    """SVG of a link with its token under ``origin``. Raises event_not_found, not_found."""
    base = checked_origin(origin)
    views = {view.role: view for view in listed(world, event_id).links}
    if role not in views:
        raise Problem("not_found")
    return _svg(base + views[role].path)


def _public(event_id: str) -> list[LinkView]:
    """The pages that anybody may open: the phone's, and registration."""
    return [LinkView("play", f"/p/{event_id}", 1, None), LinkView("registration", f"/e/{event_id}", 1, None)]


def _links(world: World, event_id: str) -> dict[Role, Link]:
    keys = [(Link.Meta.table_name, event_id, f"LINK#{role}") for role in LINK_ROLES]
    raw = bulk.get_items(keys, world.sleep, world.random.fraction)
    return {role: Link.from_raw_data(item) for role, item in zip(LINK_ROLES, raw, strict=True) if item is not None}


def _view(world: World, event_id: str, link: Link) -> LinkView:
    role = Role(link.sk.removeprefix("LINK#"))
    path = f"/{_PAGES[role]}/{event_id}#{token_of(world, event_id, role, int(link.generation))}"
    return LinkView(str(role), path, int(link.generation), whole(link.last_used_at))


def checked_origin(origin: str) -> str:
    """A scheme and host, as the page sent it. Raises bad_value."""
    if not _ORIGIN.fullmatch(origin):
        raise Problem("bad_value", "origin", why="http(s)://host[:port]")
    return origin


def _svg(text: str) -> bytes:
    from chalicelib.gateways.qrcodes import qr_svg

    return qr_svg(text).encode()


def _short(digest: bytes) -> str:
    return base64.urlsafe_b64encode(digest).decode()
