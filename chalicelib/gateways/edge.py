"""The edge's copies of public files: what must not be read any more is forgotten there before its time is over."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Protocol

logger = logging.getLogger("guanjun.edge")


class Edge(Protocol):
    """What stands between the files and their readers, and keeps copies for a while."""

    def forget(self, paths: Sequence[str], reference: str) -> None:
        """Drop the copies of ``paths`` (``/pub/e/*``). Asked again with the same ``reference`` it does so once."""
        ...


class NoEdge:
    """For a laptop: its readers get the files themselves, so there is no copy that could be forgotten."""

    def forget(self, paths: Sequence[str], reference: str) -> None:
        """Nothing to do: nobody keeps a copy."""


class CloudFront:
    """The distribution whose id stands in an SSM parameter: it is made after the functions that call it."""

    def __init__(self, parameter: str) -> None:
        """``parameter``: the parameter's name; it is read at the first call."""
        self._parameter = parameter
        self._distribution: str | None = None

    def forget(self, paths: Sequence[str], reference: str) -> None:
        """One invalidation. Before the first deployment has written the parameter there is no edge, and no copy."""
        import boto3

        distribution = self._distribution or self._read()
        if distribution is None:
            logger.warning("no distribution is named by %s yet; nothing was forgotten", self._parameter)
            return
        boto3.client("cloudfront").create_invalidation(
            DistributionId=distribution,
            InvalidationBatch={
                "Paths": {"Quantity": len(paths), "Items": list(paths)},
                "CallerReference": reference,
            },
        )

    def _read(self) -> str | None:
        import boto3
        from botocore.exceptions import ClientError

        try:
            found = boto3.client("ssm").get_parameter(Name=self._parameter)
        except ClientError as error:
            if error.response["Error"]["Code"] != "ParameterNotFound":
                raise
            return None
        self._distribution = found["Parameter"]["Value"]
        return self._distribution
