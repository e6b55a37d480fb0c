"""The deployment secret of this machine: made once, kept in the data directory, readable by its owner only."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

SECRET_BYTES = 32


def deployment_secret(path: Path) -> bytes:
    """The secret kept at ``path``; made when it is missing. Losing it makes every link and session invalid."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        secret = path.read_bytes().strip()
        if len(secret) < SECRET_BYTES:
            raise ValueError(f"{path} does not hold a secret; remove it only if all links may become invalid") from None
        return secret
    with os.fdopen(descriptor, "wb") as file:
        secret = secrets.token_hex(SECRET_BYTES).encode()
        file.write(secret)
        file.flush()
        os.fsync(file.fileno())
    return secret
