"""What of all the collected files goes into the zip."""

from pathlib import PurePosixPath

# The services whose clients the program makes, and the version of their API. A test compares them with the program
# and makes a client of each.
AWS_SERVICES = {
    "cloudfront": "2020-05-31",
    "dynamodb": "2012-08-10",
    "s3": "2006-03-01",
    "sns": "2010-03-31",
    "ssm": "2014-11-06",
}

_SERVICE_MODELS = (("botocore", "data"), ("boto3", "data"))
# Parts of libraries that no function imports: a second web framework with its own Swagger pages, what powertools offers
# beside logs and figures, time zones that `tzdata` brings as well, and the C parser that only builds bindings.
_UNUSED = (
    ("aws_lambda_powertools", "event_handler"),
    *(
        ("aws_lambda_powertools", "utilities", part)
        for part in (
            "auth_alpha",
            "batch",
            "circuit_breaker",
            "data_classes",
            "data_masking",
            "feature_flags",
            "idempotency",
            "kafka",
            "metadata",
            "parameters",
            "parser",
            "streaming",
            "validation",
        )
    ),
    ("boto3", "examples"),
    # For Python in a browser, another TLS library, SOCKS proxies and HTTP/2: nobody asks for them here.
    ("urllib3", "contrib", "emscripten"),
    ("urllib3", "contrib", "pyopenssl.py"),
    ("urllib3", "contrib", "socks.py"),
    ("urllib3", "http2", "connection.py"),
    # All zones as one text, beside the zones themselves.
    ("tzdata", "zoneinfo", "tzdata.zi"),
    # Where the zones lie on a map, for people who choose one there.
    *(("tzdata", "zoneinfo", name) for name in ("iso3166.tab", "zone.tab", "zone1970.tab", "zonenow.tab")),
    ("dateutil", "zoneinfo"),
    # What WeChat Pay's library and `requests` bring and never use here: a second, asynchronous form, and the table for
    # host names in other scripts. Certificates are certifi's, for botocore too.
    ("wechatpayv3", "async_"),
    ("idna", "uts46data.py"),
    ("botocore", "cacert.pem"),
    ("cffi",),
    ("pycparser",),
)
_EXAMPLES = "examples-1.json"
_INSTALLER_NOTES = ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json")


def belongs(name: str) -> bool:
    """Whether a file, named by its path in the zip, is needed by the running program.

    >>> [belongs(f"botocore/data/{name}") for name in ("endpoints.json", "s3/x/service-2.json.gz", "ec2/x/x.json")]
    [True, True, False]
    """
    path = PurePosixPath(name)
    if "__pycache__" in path.parts or path.parts[0] == "bin" or path.suffix in (".pyi", ".pyc"):
        return False
    if path.parts[0].endswith(".dist-info") and (path.name in _INSTALLER_NOTES or "sboms" in path.parts):
        return False
    if any(path.parts[: len(part)] == part for part in _UNUSED):
        return False
    if path.parts[:2] in _SERVICE_MODELS and len(path.parts) > 3:
        return path.parts[3] == AWS_SERVICES.get(path.parts[2]) and path.name != _EXAMPLES
    return True
