"""Figures for whoever watches the platform: lines of CloudWatch's embedded metric format on standard output.

Numbers only, never who or which event. A figure costs a line in the log, so only what an alarm or the dashboard
(``infra/watch.yaml``) reads is counted; requests, errors and times of the functions AWS counts by itself.
"""

from __future__ import annotations

import os
from typing import Literal, Protocol

Figure = Literal[
    "Submissions",
    "StandingsRuns",
    "StandingsMilliseconds",
    "RecordsAgain",
    "StandingsHealed",
    "RegistrationsClosed",
    "IdleEventsEnded",
    "EventsPurged",
    "BackupsKept",
    "BackupsFailed",
]
"""All figures: words of the sides taken; runs of the standings and their time; stream records handed in again;
standings that ``sweep`` had to heal; registrations closed; copies of events kept before a settlement, or not."""


class Metrics(Protocol):
    """Where figures go."""

    def add(self, figure: Figure, value: float = 1) -> None:
        """Add one value of a figure. Never raises: nothing may fail because somebody wanted to count it."""
        ...


class NoMetrics:
    """For a laptop, where nobody reads them."""

    def add(self, figure: Figure, value: float = 1) -> None:
        """Forget the value."""


class EmbeddedMetrics:
    """Prints each value as one line of JSON that CloudWatch turns into a metric.

    Namespace and service come from POWERTOOLS_METRICS_NAMESPACE and POWERTOOLS_SERVICE_NAME, the stage from STAGE.
    """

    def add(self, figure: Figure, value: float = 1) -> None:
        """Print the value."""
        # Imported late: a function that starts has nothing to count yet.
        from aws_lambda_powertools.metrics import MetricUnit, single_metric

        unit = MetricUnit.Milliseconds if figure.endswith("Milliseconds") else MetricUnit.Count
        dimensions = {
            "service": os.environ.get("POWERTOOLS_SERVICE_NAME", "guanjun"),
            "stage": os.environ.get("STAGE", "local"),
        }
        namespace = os.environ.get("POWERTOOLS_METRICS_NAMESPACE", "Guanjun")
        with single_metric(figure, unit, value, namespace=namespace, default_dimensions=dimensions):
            pass
