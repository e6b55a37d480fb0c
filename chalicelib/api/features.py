"""The features of the API, and which of them answers which path.

In the cloud a new process imports only the features that its requests ask for: importing all of them costs more than
Chalice, boto3 and PynamoDB together (docs/decisions/features-on-demand.md). Which path belongs to which feature stands
in ``features.json``, written by ``guanjun openapi`` from the routes themselves.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Final

import msgspec
from chalice.app import Blueprint

from chalicelib.api.framework import ROUTES

FEATURES: Final = (
    "health",
    "accounts",
    "wechat",
    "administration",
    "ladders",
    "club_list",
    "duplicate",
    "events",
    "event_documents",
    "members",
    "linked_events",
    "links",
    "entries",
    "jobs",
    "exports",
    "registration",
    "payments",
    "groups",
    "series",
    "rounds",
    "schemes",
    "scoring",
    "rehearsal",
    "calls",
    "adjustments",
    "substitutes",
    "players",
    "privacy",
    "public_list",
    "standings",
    "display",
)
"""Modules of ``chalicelib.api`` that declare routes, in the order in which the API's description lists them."""
WORKERS: Final = ("standings", "club_ranks", "jobs", "schedules")
"""Modules of ``chalicelib.workers``."""
FILE: Final = Path(__file__).with_name("features.json")


def blueprint_of(feature: str) -> Blueprint:
    """A feature's routes; importing its module declares them."""
    blueprint: Blueprint = import_module(f"chalicelib.api.{feature}").blueprint
    return blueprint


def at_start() -> Iterator[Blueprint]:
    """What a process registers when it starts: in the cloud nothing, elsewhere every feature and worker."""
    if not _in_the_cloud():
        yield from map(blueprint_of, FEATURES)
        for name in WORKERS:
            yield import_module(f"chalicelib.workers.{name}").blueprint


def on_demand() -> dict[str, tuple[str, ...]]:
    """Path -> the features that are registered with the first request for it: in the cloud all, elsewhere none.

    The workers are not among them: each is a function of its own there, imported by its own name.
    """
    return by_path() if _in_the_cloud() else {}


def _in_the_cloud() -> bool:
    return "AWS_LAMBDA_FUNCTION_NAME" in os.environ


def declare_all() -> None:
    """Have every route declared in ``framework.ROUTES``, whatever was asked for so far."""
    for name in FEATURES:
        blueprint_of(name)


def by_path() -> dict[str, tuple[str, ...]]:
    """Path of a route, with its parameters in braces -> the features that answer there."""
    return msgspec.json.decode(FILE.read_bytes(), type=dict[str, tuple[str, ...]])


def written() -> bytes:
    """``features.json`` as the routes make it."""
    declare_all()
    found: dict[str, list[str]] = {}
    for route in ROUTES:
        features = found.setdefault(route.path, [])
        if route.feature not in features:
            features.append(route.feature)
    return msgspec.json.format(msgspec.json.encode(dict(sorted(found.items()))), indent=1) + b"\n"
