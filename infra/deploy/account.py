"""The account and region that a deployment goes to.

Credentials, region and (for an emulated cloud) AWS_ENDPOINT_URL come from the environment, as for every tool of AWS.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from infra.launcher.errors import SetupError

# CloudFront takes certificates and web ACLs from there only.
GLOBAL_REGION = "us-east-1"
# What may go wrong with a request: refused by AWS, or it never got there.
AWS_ERRORS = (ClientError, BotoCoreError)


@contextmanager
def asking_aws() -> Iterator[None]:
    """Turn what AWS refuses in a block (missing rights, an expired session) into a SetupError."""
    try:
        yield
    except AWS_ERRORS as error:
        raise SetupError(f"AWS refuses: {error}") from error


class Account:
    """Clients of one account in one region."""

    def __init__(self, region: str | None = None) -> None:
        """``region`` None: AWS_REGION, else what the profile says (boto3 itself reads AWS_DEFAULT_REGION only)."""
        self._session: Any = boto3.session.Session(region_name=region or os.environ.get("AWS_REGION"))

    @property
    def region(self) -> str:
        """The region's name. Raises SetupError when none is chosen."""
        if self._session.region_name is None:
            raise SetupError("no region is chosen: set AWS_REGION, for instance AWS_REGION=ap-east-1")
        return str(self._session.region_name)

    @property
    def partition(self) -> str:
        """``aws``, or ``aws-cn`` in China."""
        return str(self._session.get_partition_for_region(self.region))

    def client(self, service: str, region: str | None = None) -> Any:
        """A boto3 client; retries are botocore's own."""
        settings = Config(retries={"max_attempts": 6, "mode": "standard"}, connect_timeout=5, read_timeout=60)
        return self._session.client(service, region_name=region or self.region, config=settings)

    @cached_property
    def number(self) -> str:
        """The account's number. Raises SetupError when the credentials are missing or not good."""
        try:
            return str(self.client("sts").get_caller_identity()["Account"])
        except AWS_ERRORS as error:
            raise SetupError(f"AWS does not know these credentials: {error}") from error
