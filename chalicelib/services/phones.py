"""Phone numbers as people type them, and as others may see them.

Cells of spreadsheets, which garble phones in more ways, are read by ``services.roster``.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import unicodedata

from chalicelib.services.names import visible
from chalicelib.services.problems import Problem
from chalicelib.services.world import World

_SEPARATORS = re.compile(r"[\s\-‐‑‒–—―.()·]+")
_MAINLAND = re.compile(r"1[0-9]{10}")
_ABROAD = re.compile(r"\+[0-9]{8,15}")


def recognise(text: str) -> str | None:
    """The phone that ``text`` spells: 11 digits of the mainland, ``+`` and 8 to 15 digits abroad, else None.

    Spaces, dashes, brackets, full-width digits and the prefixes +86, 0086 and 86 are understood; so are the invisible
    marks that phones put around a number when it is copied from the list of contacts.
    """
    digits = _SEPARATORS.sub("", visible(unicodedata.normalize("NFKC", text)))
    for prefix in ("+86", "0086", "86"):
        if digits.startswith(prefix) and len(digits) == len(prefix) + 11:
            digits = digits.removeprefix(prefix)
            break
    if _MAINLAND.fullmatch(digits) or (_ABROAD.fullmatch(digits) and not digits.startswith("+86")):
        return digits
    return None


def normalise(text: str, field: str = "phone") -> str:
    """The phone that ``text`` spells. Raises bad_phone with ``field``."""
    phone = recognise(text)
    if phone is None:
        raise Problem("bad_phone", field)
    return phone


def mask(phone: str) -> str:
    """Enough of a phone to recognise one's own: 138****8000; empty stays empty."""
    if not phone:
        return ""
    return f"{phone[:3]}****{phone[-4:]}" if len(phone) >= 11 else f"{phone[:3]}****{phone[-2:]}"


def index_in(world: World, event_id: str, phone: str) -> str:
    """An index that finds a phone's entry within one event: HMAC under the deployment secret, so the store alone does
    not tell the phone, and the same phone looks different in another event."""
    text = f"phone in event\n{event_id}\n{phone}".encode()
    return hmac.new(world.secret, text, hashlib.sha256).hexdigest()


def index_of(world: World, phone: str) -> str:
    """An index that finds a phone's account without naming the phone: HMAC under the deployment secret."""
    return hmac.new(world.secret, b"phone\n" + phone.encode(), hashlib.sha256).hexdigest()


def person_of(world: World, phone: str) -> str:
    """Who somebody is on the ladders, from event to event: HMAC of the phone under the deployment secret, apart from
    every other index, so that it leads neither to an entry nor to an account."""
    return hmac.new(world.secret, b"person on ladders\n" + phone.encode(), hashlib.sha256).hexdigest()[:24]
