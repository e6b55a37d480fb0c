"""The cost sheet: what was counted times AWS's list prices, line by line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from infra.simulate.ledger import API, Ledger
from infra.simulate.meter import Cost
from infra.simulate.settings import Cloud, PriceList, Prices

MILLION, THOUSAND, TEN_THOUSAND = 1_000_000, 1000, 10_000
GB = 1_000_000_000
MB_OF_A_GB = 1024


class Line(NamedTuple):
    """One line: what, how much of it, and what that costs (US dollars)."""

    what: str
    amount: float
    unit: str
    dollars: float


@dataclass(frozen=True)
class Usage:
    """Everything that is billed, summed up."""

    api_requests: float
    invocations: float
    gb_seconds: float
    cold_starts: float
    read_units: float
    write_units: float
    stream_records: float
    s3_writes: float
    s3_reads: float
    edge_requests: float
    edge_bytes: float
    edge_functions: float
    log_bytes: float
    key_requests: float
    sms: float


def usage_of(ledger: Ledger, memory: Mapping[str, int], cloud: Cloud) -> Usage:
    """The books of a day as one usage. ``memory``: MB by function."""
    whole, gb_seconds, api = Cost(), 0.0, Cost()
    for kind in ledger.kinds.values():
        total = kind.total
        whole.add(total)
        share = memory[kind.function] / MB_OF_A_GB / 1000
        measured = sum(kind.samples_ms)
        if kind.counted:
            measured *= kind.calls / len(kind.samples_ms)
        gb_seconds += share * measured
        if kind.function == API:
            api.add(total)
    starts = {function: ledger.cold_starts(function, cloud.process_life) for function in ledger.at_once}
    gb_seconds += sum(
        count * cloud.cold_start_ms / 1000 * memory[function] / MB_OF_A_GB for function, count in starts.items()
    )
    files = ledger.files.values()
    return Usage(
        api_requests=api.calls,
        invocations=whole.calls,
        gb_seconds=gb_seconds,
        cold_starts=sum(starts.values()),
        read_units=whole.read_units,
        write_units=whole.write_units,
        stream_records=ledger.records,
        s3_writes=whole.s3_writes,
        s3_reads=whole.s3_reads + sum(each.fetches for each in files),
        edge_requests=api.calls + sum(each.requests for each in files),
        edge_bytes=api.bytes_out + sum(each.bytes_out for each in files),
        edge_functions=sum(each.functions for each in files),
        log_bytes=whole.calls * cloud.log_bytes + whole.figures * cloud.log_line_bytes,
        key_requests=len(ledger.keys),
        sms=ledger.sms,
    )


def sheet(usage: Usage, prices: Prices, *, streams_free: bool) -> list[Line]:
    """The lines of what is used; text messages are not among them (:func:`sms_line`)."""
    stream = 0.0 if streams_free else usage.stream_records / MILLION * prices.stream_read_million
    return [
        Line(
            "API Gateway REST",
            usage.api_requests,
            "requests",
            usage.api_requests / MILLION * prices.api_gateway_million,
        ),
        Line("Lambda calls", usage.invocations, "invocations", usage.invocations / MILLION * prices.lambda_million),
        Line("Lambda time", usage.gb_seconds, "GB-s", usage.gb_seconds * prices.lambda_gb_second),
        Line("DynamoDB reads", usage.read_units, "units", usage.read_units / MILLION * prices.dynamodb_read_million),
        Line(
            "DynamoDB writes", usage.write_units, "units", usage.write_units / MILLION * prices.dynamodb_write_million
        ),
        Line("DynamoDB streams", usage.stream_records, "records, read by Lambda", stream),
        Line(
            "KMS for DynamoDB",
            usage.key_requests,
            "requests",
            usage.key_requests / TEN_THOUSAND * prices.kms_ten_thousand,
        ),
        Line("S3 writes", usage.s3_writes, "requests", usage.s3_writes / THOUSAND * prices.s3_write_thousand),
        Line("S3 reads", usage.s3_reads, "requests", usage.s3_reads / THOUSAND * prices.s3_read_thousand),
        Line(
            "CloudFront requests",
            usage.edge_requests,
            "requests",
            usage.edge_requests / TEN_THOUSAND * prices.cloudfront_ten_thousand,
        ),
        Line("CloudFront bytes", usage.edge_bytes / GB, "GB", usage.edge_bytes / GB * prices.cloudfront_gb),
        Line(
            "CloudFront function",
            usage.edge_functions,
            "runs",
            usage.edge_functions / MILLION * prices.cloudfront_function_million,
        ),
        Line("CloudWatch logs", usage.log_bytes / GB, "GB", usage.log_bytes / GB * prices.log_gb),
    ]


def sms_line(usage: Usage, prices: Prices) -> Line:
    """Text messages, which organizers cause by signing in; not part of a total."""
    return Line("SMS (apart)", usage.sms, "messages", usage.sms * prices.sms)


@dataclass(frozen=True)
class Kept:
    """What lies there for a month: bytes in tables and in buckets, alarms, figures of our own."""

    table_bytes: float
    file_bytes: float
    alarms: int
    figures: int


def month(kept: Kept, prices: Prices, listed: PriceList) -> list[Line]:
    """What a month costs although nobody plays. Alarms and figures beyond those that every account has free."""
    alarms = max(0, kept.alarms - listed.always_free["alarms"])
    figures = max(0, kept.figures - listed.always_free["metrics"])
    return [
        Line("DynamoDB storage", kept.table_bytes / GB, "GB", kept.table_bytes / GB * prices.dynamodb_gb_month),
        Line(
            "DynamoDB recovery", kept.table_bytes / GB, "GB", kept.table_bytes / GB * prices.dynamodb_recovery_gb_month
        ),
        Line("S3 storage", kept.file_bytes / GB, "GB", kept.file_bytes / GB * prices.s3_gb_month),
        Line(f"CloudWatch alarms beyond {listed.always_free['alarms']}", alarms, "alarms", alarms * prices.alarm_month),
        Line(
            f"CloudWatch figures beyond {listed.always_free['metrics']}",
            figures,
            "metrics",
            figures * prices.metric_month,
        ),
    ]


def total(lines: list[Line]) -> float:
    """Dollars."""
    return sum(line.dollars for line in lines)


def shown(lines: list[Line]) -> Iterator[str]:
    """The sheet for reading, dearest first, with its total."""
    for line in sorted(lines, key=lambda each: -each.dollars):
        yield f"  {line.what:<32} {line.amount:>16,.6g} {line.unit:<24} {line.dollars:>10.4f}"
    yield f"  {'total':<32} {'':>16} {'US dollars':<24} {total(lines):>10.4f}"
