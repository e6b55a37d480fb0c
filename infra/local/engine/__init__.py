"""DynamoDB on one SQLite file: just the operations this product uses, with AWS's behaviour and error shapes.

Start reading at ``engine.py`` (the operations), ``storage.py`` (the file) and ``hook.py`` (how boto3 gets here).
"""

from infra.local.engine.engine import Engine
from infra.local.engine.errors import ServiceError
from infra.local.engine.faults import Fault, Faults
from infra.local.engine.recorder import Access, Recorder, Usage, calling

__all__ = ["Access", "Engine", "Fault", "Faults", "Recorder", "ServiceError", "Usage", "calling"]
