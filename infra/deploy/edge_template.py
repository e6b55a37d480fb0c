"""The edge stack's template: ``infra/edge.yaml`` with the function and the headers of ``infra/edge`` filled in."""

from __future__ import annotations

import json
import re
from typing import Any

from infra.local.edge import DIRECTORY, Edge, read_edge
from infra.local.templates import INFRA, read_template

EDGE_TEMPLATE = INFRA / "edge.yaml"
_HSTS = re.compile(r"max-age=(\d+)(; includeSubDomains)?(; preload)?")


def paths_function(edge: Edge) -> str:
    """The source of the edge's function: the pages of ``routes.json``, then ``paths.js``."""
    pages = [{"path": path, "page": page} for path, page in edge.pages]
    return f"const PAGES = {json.dumps(pages)}\n{(DIRECTORY / 'paths.js').read_text(encoding='utf-8')}"


def headers_policy(headers: dict[str, str]) -> dict[str, Any]:
    """CloudFront's form of headers to add where the origin did not set them.

    Some headers have a place of their own there and are refused among the custom ones.
    """
    security: dict[str, Any] = {}
    custom = []
    for name, value in headers.items():
        place = _security_header(name, value)
        if place is None:
            custom.append({"Header": name, "Value": value, "Override": False})
        else:
            security[place[0]] = {**place[1], "Override": False}
    return {"SecurityHeadersConfig": security, "CustomHeadersConfig": {"Items": custom}}


def _security_header(name: str, value: str) -> tuple[str, dict[str, Any]] | None:
    if name == "Content-Security-Policy":
        return "ContentSecurityPolicy", {"ContentSecurityPolicy": value}
    if name == "Referrer-Policy":
        return "ReferrerPolicy", {"ReferrerPolicy": value}
    if name == "X-Content-Type-Options":
        return "ContentTypeOptions", {}
    if name == "X-Frame-Options":
        return "FrameOptions", {"FrameOption": value}
    if name == "Strict-Transport-Security":
        read = _HSTS.fullmatch(value)
        if read is None:
            raise ValueError(f"not a Strict-Transport-Security that CloudFront can send: {value!r}")
        return "StrictTransportSecurity", {
            "AccessControlMaxAgeSec": int(read[1]),
            "IncludeSubdomains": read[2] is not None,
            "Preload": read[3] is not None,
        }
    return None


def edge_template() -> dict[str, Any]:
    """The complete template of the edge stack."""
    edge, template = read_edge(), read_template(EDGE_TEMPLATE)
    resources = template["Resources"]
    resources["PrettyPaths"]["Properties"]["FunctionCode"] = paths_function(edge)
    policy = resources["Headers"]["Properties"]["ResponseHeadersPolicyConfig"]
    policy.update(headers_policy({**edge.headers, **edge.cloud_headers}))
    return template
