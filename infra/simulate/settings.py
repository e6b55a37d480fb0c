"""The two files of data beside this one: what people do (habits) and what AWS asks for it (prices)."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import yaml

_HERE = Path(__file__).parent


class Phones(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who looks how often; see ``habits.yaml``, where each line says what it is."""

    visible: float
    openings_per_round: float
    time_questions: float
    pulse: float
    pulse_near: float
    pulse_soon: float
    soon_after_publish: float
    near_end: float
    recent: int
    own_table: float
    own_table_looks: int
    own_table_long: float
    touched: float
    touched_after: float
    after_changes: float
    tick: float
    share_running: float
    running_saves: int
    reads_standings: float


class Staff(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Consoles, referees, desks and projections."""

    console_pages: int
    referees_per_tables: int
    desks_per_players: int
    screens_per_players: int
    visible: float
    watch_often: float
    watch_seldom: float
    watch_quiet_share: float
    full_look: float
    full_look_of_a_table: float
    frame_arriving: float
    frame: float
    log: float
    log_told: float
    desk: float
    desk_of_an_entry: float
    screen: float
    screen_seldom: float
    screen_snapshot: float


class Play(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How an event is played."""

    registration_minutes: float
    registration_peak: float
    check_in_minutes: float
    minutes_per_round: int
    stop_drawing_minutes: int
    pause_minutes: float
    draft_minutes: float
    lunch_minutes: float
    burst: float
    burst_seconds: float
    answer_seconds: float
    hurry_seconds: float
    disputed: float
    corrected_by_side: float
    silent: float
    corrections: float
    retried: float
    retry_after: float


class Cloud(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Times and sizes of the cloud that no laptop shows."""

    dynamodb_ms: float
    dynamodb_batch_ms: float
    s3_read_ms: float
    s3_write_ms: float
    network_ms: float
    stream_ms: float
    api_program_ms: float
    rank_program_ms: float
    cpu_mb: int
    cold_start_ms: float
    process_life: float
    log_bytes: int
    log_line_bytes: int
    edge_places: int
    header_bytes: int
    page_bytes: int
    key_minutes: float


class Habits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that is assumed."""

    phones: Phones
    staff: Staff
    play: Play
    evening_players: int
    evening: dict[str, int]
    cloud: Cloud

    def of(self, players: int) -> Habits:
        """The habits at an event of that size."""
        if players > self.evening_players:
            return self
        return msgspec.structs.replace(self, play=msgspec.structs.replace(self.play, **self.evening))


class Prices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """List prices of one region, US dollars, by the unit that each name ends with."""

    edge: str
    api_gateway_million: float
    lambda_million: float
    lambda_gb_second: float
    dynamodb_read_million: float
    dynamodb_write_million: float
    dynamodb_gb_month: float
    dynamodb_recovery_gb_month: float
    stream_read_million: float
    s3_write_thousand: float
    s3_read_thousand: float
    s3_gb_month: float
    cloudfront_ten_thousand: float
    cloudfront_gb: float
    cloudfront_function_million: float
    log_gb: float
    alarm_month: float
    metric_month: float
    kms_ten_thousand: float
    sms: float


class PriceList(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All regions, and when the prices were looked up (year-month)."""

    date: str
    currency: str
    regions: dict[str, Prices]
    stream_reads_by_lambda_are_free: bool
    always_free: dict[str, int]


def _read(name: str) -> Any:
    return yaml.safe_load((_HERE / name).read_text("utf-8"))


@cache
def habits() -> Habits:
    """``habits.yaml``. Raises ``msgspec.ValidationError`` for a word that is missing or unknown."""
    return msgspec.convert(_read("habits.yaml"), Habits)


@cache
def price_list() -> PriceList:
    """``prices.yaml``. Raises ``msgspec.ValidationError`` for a word that is missing or unknown."""
    return msgspec.convert(_read("prices.yaml"), PriceList)
