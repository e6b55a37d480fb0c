"""How long private files live: the rules of the files bucket in ``infra/data.yaml``, kept on this machine too."""

from __future__ import annotations

from typing import Any

from infra.local.files import LocalFiles

DAY_SECONDS = 86_400


def lives(template: dict[str, Any]) -> dict[str, int]:
    """Prefix of keys -> days after which they go; empty for a template without such a bucket."""
    bucket = template.get("Resources", {}).get("FilesBucket", {}).get("Properties", {})
    rules = bucket.get("LifecycleConfiguration", {}).get("Rules", [])
    return {rule["Prefix"]: rule["ExpirationInDays"] for rule in rules if "Prefix" in rule}


def forget_old(files: LocalFiles, template: dict[str, Any]) -> int:
    """Delete what has lived its days; returns how many files."""
    return sum(files.delete_older(prefix, days * DAY_SECONDS) for prefix, days in lives(template).items())
