"""How a route is written: a declaration (method, path, action, shapes) and a function that calls one service.

The declaration does the rest: reads and checks the body against its type, finds out who calls, asks the permission
table, demands an Idempotency-Key and the CSRF token where something changes, renders the reply with an ETag, and
turns every refusal into a problem document. The same declarations write ``web/openapi.json``.
"""

from __future__ import annotations

import hashlib
import logging
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec
from chalice.app import Blueprint, Response
from chalice.app import Request as ChaliceRequest

from chalicelib.api.callers import Caller, cookies_of, identify
from chalicelib.services.once import AlreadyDone, Given, Once, once
from chalicelib.services.permissions import ACTIONS, Role, allowed
from chalicelib.services.problems import Problem
from chalicelib.services.value_words import value_words
from chalicelib.services.world import World, current
from chalicelib.store.transaction import Busy, TooLarge

logger = logging.getLogger("guanjun.api")

MOST_BODY = 6 * 1024 * 1024
PROBLEM_TYPE = "application/problem+json"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
JSON_TYPE = "application/json"
GZIP = "application/gzip"
OCTETS = "application/octet-stream"


class File(msgspec.Struct, frozen=True):
    """A reply that is a file: bytes, media type and, for a download, the name it is saved under."""

    body: bytes
    media_type: str
    filename: str | None = None


class Route(msgspec.Struct, frozen=True):
    """The declaration of one route, kept for the permission walk and the OpenAPI document."""

    feature: str
    name: str
    method: str
    path: str
    action: str
    summary: str
    body: type | None
    reply: Any
    status: int
    keyed: bool
    query: tuple[str, ...]


@dataclass
class Call:
    """One request, authenticated and parsed. ``body`` has the declared type; ``query`` holds declared names only;
    ``jar`` the request's cookies, ``headers`` its headers by lower-case names, ``raw`` its body, ``digits`` and
    ``new_digits`` an encrypted event's, of the headers X-Guanjun-Digits and X-Guanjun-New-Digits."""

    world: World
    caller: Caller
    body: Any
    query: dict[str, str]
    language: str
    jar: dict[str, str]
    digits: str
    new_digits: str
    headers: dict[str, str]
    raw: bytes
    _once: Once | None
    set_cookies: list[str] = field(default_factory=list)

    @property
    def once(self) -> Once:
        """Identity of a state-changing request, to be recorded by its service."""
        if self._once is None:
            raise RuntimeError("this route was declared without an idempotency key")
        return self._once


ROUTES: list[Route] = []
"""Every declared route, in order of declaration."""

Handler = TypeVar("Handler", bound=Callable[..., Any])


def route(
    blueprint: Blueprint,
    method: str,
    path: str,
    *,
    action: str,
    summary: str,
    reply: Any,
    body: type | None = None,
    status: int = 200,
    keyed: bool | None = None,
    query: tuple[str, ...] = (),
) -> Callable[[Handler], Handler]:
    """Declare a route. ``keyed``: whether it takes an Idempotency-Key (default: all but GET).

    The decorated function gets the :class:`Call` and the path's parameters as keyword arguments and returns the
    reply (a dataclass of ``services.views``), or a :class:`File`.
    """
    if action not in ACTIONS:
        raise KeyError(action)
    takes_key = method != "GET" if keyed is None else keyed

    def declare(function: Handler) -> Handler:
        feature = function.__module__.rpartition(".")[2]
        declared = Route(
            feature, function.__name__, method, path, action, summary, body, reply, status, takes_key, query
        )
        ROUTES.append(declared)

        def view(**parameters: str) -> Response:
            return _answer(declared, function, blueprint.current_request, parameters)

        view.__name__ = function.__name__
        blueprint.route(path, methods=[method], content_types=[JSON_TYPE, OCTETS], name=_chalice_name(declared))(view)
        return function

    return declare


def _chalice_name(declared: Route) -> str:
    return f"{declared.method.lower()}_{declared.name}"


def _answer(
    declared: Route, function: Callable[..., Any], request: ChaliceRequest, parameters: dict[str, str]
) -> Response:
    caller_once: Once | None = None
    cookies: list[str] = []
    try:
        world = current()
        raw = _bytes(request.raw_body)
        if len(raw) > MOST_BODY:
            raise Problem("too_large", limit="6 MB")
        named = _checked(parameters)
        caller = identify(world, request.headers, named.get("event_id"))
        _authorize(declared, caller, request)
        if declared.keyed:
            caller_once = once(
                caller.scope,
                request.headers.get("idempotency-key"),
                declared.method,
                _concrete_path(declared.path, parameters),
                raw,
                declared.status,
            )
        call = Call(
            world,
            caller,
            parse(raw, declared.body) if declared.body is not None else None,
            _query(declared, request),
            language_of(request.headers),
            cookies_of(request.headers),
            _digits(request, "x-guanjun-digits"),
            _digits(request, "x-guanjun-new-digits"),
            {str(name).lower(): str(value) for name, value in request.headers.items()},
            raw,
            caller_once,
            cookies,
        )
        return render(function(call, **named), declared.status, request.headers, call.set_cookies)
    except AlreadyDone as done:
        return _given(done.given)
    except Problem as problem:
        return _refuse(problem, caller_once, cookies)
    except Busy:
        return _refuse(Problem("busy"), None, cookies)
    except TooLarge:
        return _refuse(Problem("too_large", limit="400 KB"), caller_once, cookies)
    except Exception:
        logger.exception("unexpected error in %s %s", declared.method, declared.path)
        return problem_response(Problem("internal"))


def _refuse(problem: Problem, caller_once: Once | None, cookies: list[str]) -> Response:
    """A refusal counts only if this very request has not taken effect before (its own effect may be the reason)."""
    if caller_once is not None and problem.code not in ("busy", "key_reused"):
        try:
            given = caller_once.earlier_reply()
        except Problem as reused:
            return problem_response(reused)
        if given is not None:
            return _given(given)
    response = problem_response(problem)
    if cookies:
        response.headers["Set-Cookie"] = cookies
    return response


def _given(given: Given) -> Response:
    return Response(
        msgspec.json.encode(given.body).decode(),
        status_code=given.status,
        headers={"Content-Type": JSON_TYPE, "Cache-Control": "no-store", "Idempotent-Replay": "true"},
    )


def _authorize(declared: Route, caller: Caller, request: ChaliceRequest) -> None:
    if not allowed(declared.action, caller.roles):
        raise Problem("sign_in_required" if caller.roles <= {Role.ANYONE} else "forbidden")
    # What anybody may do needs no token: a page whose cookie went stale must still be able to begin anew.
    if declared.method == "GET" or Role.ANYONE in ACTIONS[declared.action]:
        return
    if caller.csrf is not None and not caller.may_change(request.headers):
        raise Problem("csrf")


def _bytes(body: str | bytes | None) -> bytes:
    return body.encode() if isinstance(body, str) else body or b""


def _digits(request: ChaliceRequest, header: str) -> str:
    return str(request.headers.get(header, ""))[:60]


def _concrete_path(path: str, parameters: dict[str, str]) -> str:
    return path.format(**parameters)


def _checked(parameters: dict[str, str]) -> dict[str, Any]:
    """Path parameters as services want them: numbers where the name says so, ids of acceptable shape."""
    checked: dict[str, Any] = {}
    for name, value in parameters.items():
        if name in ("number", "table", "player", "board"):
            if not (value.isascii() and value.isdigit() and len(value) <= 6 and 1 <= int(value) <= 100_000):
                raise Problem("not_found")
            checked[name] = int(value)
        else:
            if not (1 <= len(value) <= 64 and value.isascii() and value.replace("-", "").replace("_", "").isalnum()):
                raise Problem("not_found")
            checked[name] = value
    return checked


def _query(declared: Route, request: ChaliceRequest) -> dict[str, str]:
    given: Mapping[str, Any] = request.query_params or {}
    found = {name: str(given[name]) for name in declared.query if name in given}
    for name, value in found.items():
        check_characters(value, name)
        if len(value) > 200:
            raise Problem("bad_value", name, why="> 200")
    return found


def parse(raw: bytes, wanted: type) -> Any:
    """The body as ``wanted``. Raises bad_json, bad_value or bad_characters with the field's path."""
    try:
        plain = msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        raise Problem("bad_json") from error
    check_characters(plain, "")
    try:
        return msgspec.convert(plain, wanted)
    except msgspec.ValidationError as error:
        message, _, place = str(error).partition(" - at `")
        # `$.players[0].name`, or of a key: `key` in `$.columns`.
        path = place.rpartition("$")[2].rstrip("`").lstrip(".") or "body"
        why_zh, why_en = value_words(message)
        raise Problem("bad_value", path, why_zh=why_zh, why_en=why_en) from error


def check_characters(value: Any, path: str) -> None:
    """Refuse control characters (but line breaks and tabs), lone surrogates and unassigned code points anywhere."""
    if isinstance(value, str):
        if not value.isascii() or not value.isprintable():
            for character in value:
                if unicodedata.category(character) in ("Cc", "Cs", "Cn", "Co") and character not in "\n\r\t":
                    raise Problem("bad_characters", path or "body")
    elif isinstance(value, dict):
        for key, inner in value.items():
            check_characters(key, f"{path}.{key}".lstrip("."))
            check_characters(inner, f"{path}.{key}".lstrip("."))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            check_characters(inner, f"{path}[{index}]")


def language_of(headers: Any) -> str:
    """``en`` when the first wanted language is English, else ``zh``."""
    return "en" if str(headers.get("accept-language", "")).strip().lower().startswith("en") else "zh"


def render(reply: Any, status: int, headers: Any, cookies: list[str] | None = None) -> Response:
    """The reply as an HTTP response: files as they are, everything else as JSON with an ETag (304 if unchanged)."""
    out: dict[str, Any] = {"Cache-Control": "no-store" if status != 200 else "private, no-cache"}
    if cookies:
        out["Set-Cookie"] = cookies
    if isinstance(reply, File):
        out["Content-Type"] = reply.media_type
        if reply.filename is not None:
            from urllib.parse import quote

            out["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(reply.filename)}"
        text = reply.media_type.startswith(("text/", "image/svg", JSON_TYPE))
        return Response(reply.body.decode() if text else reply.body, status_code=status, headers=out)
    body = msgspec.json.encode(reply)
    etag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
    if status == 200 and not cookies and headers.get("if-none-match") == etag:
        return Response("", status_code=304, headers={"ETag": etag, "Cache-Control": out["Cache-Control"]})
    out["ETag"] = etag
    out["Content-Type"] = JSON_TYPE
    return Response(body.decode(), status_code=status, headers=out)


def problem_response(problem: Problem) -> Response:
    """The refusal as a problem document (RFC 9457)."""
    headers: dict[str, Any] = {"Content-Type": PROBLEM_TYPE, "Cache-Control": "no-store"}
    if "seconds" in problem.words:
        headers["Retry-After"] = str(problem.words["seconds"])
    return Response(msgspec.json.encode(problem.document()).decode(), status_code=problem.status, headers=headers)
