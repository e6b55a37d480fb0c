"""The errors the service answers with, as one exception that carries DynamoDB's own code and fields."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any


class ServiceError(Exception):
    """A refusal with DynamoDB's error code, its message and any further members of the error shape."""

    def __init__(self, code: str, message: str = "", **members: Any) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.members = members


class ReplyLostError(Exception):
    """The request took effect, but its answer never reached the caller (an injected fault)."""


def invalid(message: str) -> ServiceError:
    """The request itself is wrong; repeating it cannot help."""
    return ServiceError("ValidationException", message)


def invalid_parameter(message: str) -> ServiceError:
    """A value in the request breaks a rule of its type or of the table's schema."""
    return invalid(f"One or more parameter values were invalid: {message}")


def missing_table() -> ServiceError:
    """No table of that name."""
    return ServiceError("ResourceNotFoundException", "Requested resource not found")


def refuse_unknown(what: str, request: Mapping[str, Any], known: Collection[str]) -> None:
    """Refuse parameters the engine does not know.

    Better than to ignore them: an ignored parameter works here and surprises in the cloud.
    """
    unknown = request.keys() - set(known)
    if unknown:
        raise invalid(f"The local engine does not know these parameters of {what}: {sorted(unknown)}")
