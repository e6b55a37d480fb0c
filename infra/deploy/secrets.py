"""The stage's secrets, made once and kept in Systems Manager: never in a template, a file or a log."""

from __future__ import annotations

import secrets
from typing import Any

from botocore.exceptions import ClientError

SECRET_BYTES = 32


def ensure(ssm: Any, name: str) -> bool:
    """Make the SecureString ``name`` where it is missing; returns whether it was made.

    The deployment secret must never change: links, sessions and the index of phones are derived from it.
    """
    try:
        ssm.put_parameter(Name=name, Value=secrets.token_hex(SECRET_BYTES), Type="SecureString", Overwrite=False)
    except ClientError as error:
        if error.response["Error"]["Code"] != "ParameterAlreadyExists":
            raise
        return False
    return True


def renew(ssm: Any, name: str) -> None:
    """Put a new word in front of the newest one: the program takes both until the edge shows the new one everywhere."""
    newest = words(ssm, name)[0]
    value = f"{secrets.token_hex(SECRET_BYTES)} {newest}"
    ssm.put_parameter(Name=name, Value=value, Type="SecureString", Overwrite=True)


def words(ssm: Any, name: str) -> list[str]:
    """The words of a secret, newest first."""
    return str(ssm.get_parameter(Name=name, WithDecryption=True)["Parameter"]["Value"]).split()


def there(ssm: Any, name: str) -> bool:
    """Whether a secret that somebody may have written by hand is there."""
    return bool(ssm.get_parameters(Names=[name], WithDecryption=False)["Parameters"])


def versions(ssm: Any, *names: str) -> str:
    """A text that changes whenever one of the secrets does, and says nothing about them."""
    found = [ssm.get_parameter(Name=name, WithDecryption=False)["Parameter"]["Version"] for name in names]
    return ".".join(str(version) for version in found)


def remember(ssm: Any, name: str, value: str) -> None:
    """Keep a plain value, such as the stage's address."""
    ssm.put_parameter(Name=name, Value=value, Type="String", Overwrite=True)
