"""The edge forgets what it is told to, in one invalidation; a laptop has no edge."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from moto import mock_aws

from chalicelib.gateways.edge import CloudFront, NoEdge
from chalicelib.services import edge_copies
from tests.support.people import open_hall
from tests.support.world import TestWorld

PARAMETER = "/guanjun/dev/distribution"


@pytest.fixture
def distribution() -> Iterator[str]:
    """The id of a distribution in an emulated account."""
    with mock_aws():
        origins = {
            "Quantity": 1,
            "Items": [
                {"Id": "o", "DomainName": "files.s3.amazonaws.com", "S3OriginConfig": {"OriginAccessIdentity": ""}}
            ],
        }
        made = boto3.client("cloudfront").create_distribution(
            DistributionConfig={
                "CallerReference": "1",
                "Comment": "",
                "Enabled": True,
                "Origins": origins,
                "DefaultCacheBehavior": {"TargetOriginId": "o", "ViewerProtocolPolicy": "https-only"},
            }
        )
        yield made["Distribution"]["Id"]


def invalidations(distribution: str) -> list[list[str]]:
    client = boto3.client("cloudfront")
    found: list[Any] = client.list_invalidations(DistributionId=distribution)["InvalidationList"].get("Items", [])
    wanted = [client.get_invalidation(DistributionId=distribution, Id=each["Id"]) for each in found]
    return [each["Invalidation"]["InvalidationBatch"]["Paths"]["Items"] for each in wanted]


def test_the_distribution_named_by_the_parameter_forgets(distribution: str) -> None:
    boto3.client("ssm").put_parameter(Name=PARAMETER, Value=distribution, Type="String")
    CloudFront(PARAMETER).forget(["/pub/e1/*"], "reference-1")
    assert invalidations(distribution) == [["/pub/e1/*"]]


def test_before_the_first_deployment_is_done_there_is_nothing_to_forget(
    distribution: str, caplog: pytest.LogCaptureFixture
) -> None:
    edge = CloudFront(PARAMETER)
    with caplog.at_level(logging.WARNING, "guanjun.edge"):
        edge.forget(["/pub/e1/*"], "reference-1")
    assert "no distribution" in caplog.text
    boto3.client("ssm").put_parameter(Name=PARAMETER, Value=distribution, Type="String")
    edge.forget(["/pub/e1/*"], "reference-2")
    assert invalidations(distribution) == [["/pub/e1/*"]]


def test_a_laptop_forgets_nothing() -> None:
    NoEdge().forget(["/pub/e1/*"], "reference-1")


class Told:
    """An edge that notes what it is told, or is out of order."""

    def __init__(self, *, broken: bool = False) -> None:
        self.paths: list[str] = []
        self.broken = broken

    def forget(self, paths: Any, reference: str) -> None:
        if self.broken:
            raise ConnectionError(reference)
        self.paths += paths


def told(world: TestWorld, edge: Told) -> Told:
    object.__setattr__(world, "edge", edge)
    return edge


def test_who_encrypts_erases_or_hides_an_event_lets_the_edge_forget_it(world: TestWorld) -> None:
    hall = open_hall(world)
    hall.enter(2)
    edge = told(world, Told())
    wanted = [f"/pub/{hall.event_id}/*"]
    for act in (
        lambda: hall.configure(private=True),
        lambda: hall.owner.post(hall.path("/entries/1/players/1/erasure"), {}),
        lambda: hall.owner.post(hall.path("/encryption"), {}, headers={"X-Guanjun-New-Digits": "492817365028"}),
        lambda: hall.owner.put(hall.path("/freeze"), {"version": hall.version(), "round": 1}),
    ):
        edge.paths.clear()
        act()
        assert edge.paths == wanted
    edge.paths.clear()
    hall.configure(name="改名")
    assert hall.owner.put(hall.path("/freeze"), {"version": hall.version(), "round": None}).status == 200
    assert edge.paths == []
    assert hall.owner.post(hall.path("/deletion"), {"deleted": True, "name": "改名"}).status == 200
    assert edge.paths == wanted


def test_an_edge_that_is_out_of_order_stops_nobody(world: TestWorld, caplog: pytest.LogCaptureFixture) -> None:
    told(world, Told(broken=True))
    edge_copies.forget(world, "e1")
    assert "was not told" in caplog.text
