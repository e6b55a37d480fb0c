"""The server's time and the API's own description."""

from __future__ import annotations

import msgspec
from chalice.app import Blueprint

from chalicelib.api.features import declare_all
from chalicelib.api.framework import Call, File, route
from chalicelib.api.openapi import document

blueprint = Blueprint(__name__)


class ServerTime(msgspec.Struct, frozen=True):
    """Milliseconds since 1970 UTC."""

    now: int


@route(blueprint, "GET", "/time", action="service.read", summary="The server's time", reply=ServerTime)
def read_time(call: Call) -> ServerTime:
    """Never cached; clients take the best of five."""
    return ServerTime(call.world.now())


@route(blueprint, "GET", "/openapi.json", action="service.read", summary="This document", reply=File)
def read_openapi(call: Call) -> File:
    """OpenAPI 3.1, written from the routes."""
    declare_all()
    return File(document(), "application/json")
