"""The ``jobs`` function: each record of the jobs table that asks for a step gets one."""

from __future__ import annotations

import logging
from typing import Any

from chalice.app import Blueprint, DynamoDBEvent

from chalicelib.services.jobs import advancing
from chalicelib.services.world import current
from chalicelib.workers.batches import stream_arn

logger = logging.getLogger("guanjun.workers")
blueprint = Blueprint(__name__)


@blueprint.on_dynamodb_record(stream_arn("jobs"), batch_size=1, starting_position="TRIM_HORIZON", name="jobs")
def jobs(event: DynamoDBEvent) -> dict[str, Any]:
    """One step of the job that a record is about; a step that failed is tried again, from the saved cursor."""
    failed = []
    for record in event.to_dict().get("Records", ()):
        image = record.get("dynamodb", {})
        job_id = image.get("Keys", {}).get("pk", {}).get("S", "").removeprefix("JOB#")
        try:
            advancing.advance(current(), job_id)
        except Exception:
            logger.exception("job %s", job_id)
            failed.append({"itemIdentifier": image.get("SequenceNumber")})
    return {"batchItemFailures": failed}
