"""Running the application's functions in threads: API events, stream batches, schedules."""

from __future__ import annotations

from typing import Any

from chalice.local import LambdaContext, LocalChalice

from infra.local.engine.recorder import calling

MEMORY_MB = 1024
MAX_RUN_MS = 900_000


def make_thread_safe(app: Any) -> None:
    """Give a Chalice application one current request per thread instead of one for all."""
    if not isinstance(app, LocalChalice):
        app.__class__ = type("ThreadSafeApplication", (LocalChalice, app.__class__), {})


def context_of(function: str) -> Any:
    """What Lambda hands to a function beside its event."""
    return LambdaContext(function_name=function, memory_size=MEMORY_MB, max_runtime_ms=MAX_RUN_MS)


def invoke(app: Any, function: str, event: dict[str, Any]) -> Any:
    """Call a worker function of the application as Lambda would; its requests to the store carry its name."""
    with calling(function):
        return app.handler_map[function](event, context_of(function))
