"""Secrets kept in AWS Systems Manager, read once when a function starts."""

from __future__ import annotations

from collections.abc import Sequence


class MissingParameters(Exception):
    """Parameters that are not there; the deployment is incomplete."""


def read_secrets(names: Sequence[str]) -> dict[str, str]:
    """The decrypted values of up to ten parameters, in one request. Raises :class:`MissingParameters`."""
    import boto3

    answer = boto3.client("ssm").get_parameters(Names=list(names), WithDecryption=True)
    values = {found["Name"]: found["Value"] for found in answer["Parameters"]}
    missing = [name for name in names if name not in values]
    if missing:
        raise MissingParameters(", ".join(missing))
    return values


def read_optional(name: str) -> str | None:
    """The decrypted value of a parameter that need not be there."""
    import boto3

    found = boto3.client("ssm").get_parameters(Names=[name], WithDecryption=True)["Parameters"]
    return found[0]["Value"] if found else None
