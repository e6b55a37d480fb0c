"""What of all the collected files goes into the zip."""

from pathlib import PurePosixPath

# The services whose clients the program makes. A test compares them with the program's text.
AWS_SERVICES = ("dynamodb", "s3", "sns", "ssm")

_SERVICE_MODELS = (("botocore", "data"), ("boto3", "data"))
# Parts of libraries that no function imports: a second web framework with its own Swagger pages, time zones that
# `tzdata` brings as well, and the C parser that only builds bindings.
_UNUSED = (
    ("aws_lambda_powertools", "event_handler"),
    ("boto3", "examples"),
    ("dateutil", "zoneinfo"),
    ("cffi",),
    ("pycparser",),
)
_INSTALLER_NOTES = ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json")


def belongs(name: str) -> bool:
    """Whether a file, named by its path in the zip, is needed by the running program.

    >>> [belongs(f"botocore/data/{name}") for name in ("endpoints.json", "s3/x/service-2.json.gz", "ec2/x/x.json")]
    [True, True, False]
    """
    path = PurePosixPath(name)
    if "__pycache__" in path.parts or path.parts[0] == "bin" or path.suffix in (".pyi", ".pyc"):
        return False
    if path.parts[0].endswith(".dist-info") and path.name in _INSTALLER_NOTES:
        return False
    if any(path.parts[: len(part)] == part for part in _UNUSED):
        return False
    if path.parts[:2] in _SERVICE_MODELS and len(path.parts) > 3:
        return path.parts[2] in AWS_SERVICES
    return True
