"""Uploads and downloads by signed links: what S3's presigned POST and GET are in the cloud."""

from __future__ import annotations

from email import policy
from email.parser import BytesParser
from urllib.parse import parse_qs

from chalicelib.gateways.files import attachment
from infra.local.files import LocalFiles, Refused
from infra.local.gateway import Answer

NO_STORE = ("Cache-Control", "no-store")
_PLAIN = ("Content-Type", "text/plain; charset=utf-8")


def _refusal(status: int, why: str) -> Answer:
    return Answer(status, (_PLAIN, NO_STORE), why.encode())


def _parts(content_type: str, body: bytes) -> dict[str, bytes]:
    """The fields of a multipart form; of a repeated name the first one counts."""
    head = f"Content-Type: {content_type}\r\nMIME-Version: 1.0\r\n\r\n".encode("latin-1", "replace")
    message = BytesParser(policy=policy.HTTP).parsebytes(head + body)
    fields: dict[str, bytes] = {}
    for part in message.iter_parts() if message.is_multipart() else ():
        name = part.get_param("name", header="content-disposition")
        content = part.get_payload(decode=True)
        if isinstance(name, str) and isinstance(content, bytes):
            fields.setdefault(name, content)
    return fields


def upload(files: LocalFiles, content_type: str, body: bytes) -> Answer:
    """Take a form as :meth:`LocalFiles.upload_ticket` describes it; 204 like S3."""
    fields = _parts(content_type, body)
    try:
        grant = files.granted("upload", fields.get("grant", b"").decode("latin-1"))
    except Refused as refused:
        return _refusal(403, str(refused))
    content = fields.get("file")
    if content is None or fields.get("key", b"").decode("latin-1") != grant.key:
        return _refusal(400, "the form lacks the file, or names another key")
    if not 1 <= len(content) <= grant.max_bytes:
        return _refusal(400, f"a file of 1 to {grant.max_bytes} bytes is wanted")
    etag = files.put(grant.key, content, "application/octet-stream", "no-store")
    return Answer(204, (NO_STORE, ("ETag", etag)), b"")


def download(files: LocalFiles, query: str) -> Answer:
    """Answer a link of :meth:`LocalFiles.download_link`."""
    try:
        grant = files.granted("download", parse_qs(query).get("grant", [""])[0])
    except Refused as refused:
        return _refusal(403, str(refused))
    found = files.get(grant.key)
    if found is None:
        return _refusal(404, "the file is gone")
    headers = (
        ("Content-Type", found.content_type),
        ("Content-Disposition", attachment(grant.filename)),
        NO_STORE,
    )
    return Answer(200, headers, found.body)
