"""The edge's data, read by two programs: CloudFront's (function, policies, behaviours) and the local runner's."""

from __future__ import annotations

import fnmatch
import json
import shutil
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from email.message import Message
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infra.commands.steps import program
from infra.deploy.edge_template import edge_template, headers_policy, paths_function
from infra.launcher.paths import ROOT
from infra.local.edge import read_edge
from infra.local.runner import running
from tests.support.pages import PATHS, small_pages
from tests.support.templates import Template, of_type

NODE = shutil.which("node")


def rewritten(paths: list[str]) -> list[str]:
    """What the edge's function makes of paths, in Node."""
    assert NODE is not None, "Node.js is needed (python3 guanjun test brings it)"
    source = (
        paths_function(read_edge())
        + f"\nconst paths = {json.dumps(paths)}\n"
        + "console.log(JSON.stringify(paths.map((uri) => handler({ request: { method: 'GET', uri } }).uri)))\n"
    )
    done = subprocess.run([NODE, "-"], input=source, capture_output=True, text=True, check=True)
    found: list[str] = json.loads(done.stdout)
    return found


def test_the_function_and_the_runner_send_a_path_to_the_same_file() -> None:
    edge = read_edge()
    assert rewritten(PATHS) == [edge.page_of(path) for path in PATHS]
    assert edge.page_of("/p/anything/at/all") == "/play.html"
    assert edge.page_of("/pp") == "/pp"


@settings(max_examples=3, deadline=None)
@given(st.lists(st.from_regex(r"/[prsc/a%.]{0,6}", fullmatch=True), min_size=200, max_size=200))
def test_they_agree_on_any_path(paths: list[str]) -> None:
    edge = read_edge()
    assert rewritten(paths) == [edge.page_of(path) for path in paths]


def test_every_page_of_the_routes_is_built(pages: Path) -> None:
    assert {page for _, page in read_edge().pages} == {f"/{file.name}" for file in pages.glob("*.html")}


def test_every_page_has_a_path() -> None:
    """A page that is built and has no path would be there on the developer's machine only."""
    built = {f"/{file.name}" for file in (ROOT / "web").glob("*.html")}
    assert built
    assert built == {page for _, page in read_edge().pages}


def test_cfn_lint_finds_nothing(tmp_path: Path) -> None:
    file = tmp_path / "edge.json"
    file.write_text(json.dumps(edge_template()), encoding="utf-8")
    for template in (file, ROOT / "infra" / "waf.yaml", ROOT / "infra" / "watch.yaml"):
        done = subprocess.run([program("cfn-lint"), str(template)], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.fixture(scope="module")
def distribution() -> Template:
    (found,) = of_type(edge_template(), "AWS::CloudFront::Distribution").values()
    config: Template = found["DistributionConfig"]
    return config


def behaviour_of(distribution: Template, path: str) -> Template:
    """The behaviour that CloudFront chooses for a path: the first whose pattern fits, else the default."""
    for behaviour in distribution["CacheBehaviors"]:
        if fnmatch.fnmatchcase(path, behaviour["PathPattern"]):
            found: Template = behaviour
            return found
    default: Template = distribution["DefaultCacheBehavior"]
    return default


def test_the_api_is_passed_on_uncached_and_untouched(distribution: Template) -> None:
    api = behaviour_of(distribution, "/api/time")
    assert api["TargetOriginId"] == "api"
    assert set(api["AllowedMethods"]) == {"GET", "HEAD", "OPTIONS", "PUT", "PATCH", "POST", "DELETE"}
    managed = {"4135ea2d-6df8-44a3-9df3-4b5a84be39ad": "CachingDisabled"}
    assert managed[api["CachePolicyId"]] == "CachingDisabled"
    assert api["OriginRequestPolicyId"] == "b689b0a8-53d0-40ab-baf2-68738e2966ac"  # AllViewerExceptHostHeader
    assert "FunctionAssociations" not in api
    assert "CustomErrorResponses" not in distribution
    (origin,) = [origin for origin in distribution["Origins"] if origin["Id"] == "api"]
    assert origin["OriginCustomHeaders"] == [{"HeaderName": "X-Origin-Secret", "HeaderValue": {"Ref": "OriginSecret"}}]
    assert origin["CustomOriginConfig"]["OriginProtocolPolicy"] == "https-only"
    assert "OriginPath" not in origin


def test_files_come_from_the_closed_bucket_and_only_pages_have_pretty_paths(distribution: Template) -> None:
    for path, has_function in (("/pub/e/pulse.json", False), ("/p/e", True), ("/assets/a.js", True)):
        behaviour = behaviour_of(distribution, path)
        assert behaviour["TargetOriginId"] == "site"
        assert behaviour["AllowedMethods"] == ["GET", "HEAD"]
        assert ("FunctionAssociations" in behaviour) is has_function
    (origin,) = [origin for origin in distribution["Origins"] if origin["Id"] == "site"]
    assert origin["OriginAccessControlId"] == {"Fn::GetAtt": ["SiteAccess", "Id"]}


def test_everything_is_compressed_encrypted_and_carries_the_headers(distribution: Template) -> None:
    assert distribution["HttpVersion"] == "http2and3"
    for behaviour in (*distribution["CacheBehaviors"], distribution["DefaultCacheBehavior"]):
        assert behaviour["Compress"] is True
        assert behaviour["ViewerProtocolPolicy"] in ("https-only", "redirect-to-https")
        assert behaviour["ResponseHeadersPolicyId"] == {"Ref": "Headers"}


def test_the_files_own_cache_control_decides_at_the_edge() -> None:
    (policy,) = of_type(edge_template(), "AWS::CloudFront::CachePolicy").values()
    config = policy["CachePolicyConfig"]
    # A minimum above zero would keep `no-cache` pages and the pulse longer than they say.
    assert (config["MinTTL"], config["DefaultTTL"]) == (0, 0)
    key = config["ParametersInCacheKeyAndForwardedToOrigin"]
    assert key["QueryStringsConfig"] == {"QueryStringBehavior": "none"}
    assert key["CookiesConfig"] == {"CookieBehavior": "none"}
    assert key["EnableAcceptEncodingBrotli"] is True


def test_the_firewall_is_opt_in() -> None:
    template = edge_template()
    assert template["Parameters"]["WebAclArn"]["Default"] == ""
    assert template["Resources"]["Distribution"]["Properties"]["DistributionConfig"]["WebACLId"]["Fn::If"][2] == {
        "Ref": "AWS::NoValue"
    }


def sent_by(policy: Template) -> dict[str, str]:
    """The headers that CloudFront sends by a response headers policy, lower-case names."""
    security = policy["SecurityHeadersConfig"]
    found = {item["Header"].lower(): item["Value"] for item in policy["CustomHeadersConfig"]["Items"]}
    found["content-security-policy"] = security["ContentSecurityPolicy"]["ContentSecurityPolicy"]
    found["referrer-policy"] = security["ReferrerPolicy"]["ReferrerPolicy"]
    found["x-frame-options"] = security["FrameOptions"]["FrameOption"]
    assert "ContentTypeOptions" in security
    found["x-content-type-options"] = "nosniff"
    lasting = security["StrictTransportSecurity"]
    found["strict-transport-security"] = f"max-age={lasting['AccessControlMaxAgeSec']}" + (
        "; includeSubDomains" if lasting["IncludeSubdomains"] else ""
    )
    return found


def test_the_headers_policy_says_what_the_data_says() -> None:
    edge = read_edge()
    (policy,) = of_type(edge_template(), "AWS::CloudFront::ResponseHeadersPolicy").values()
    config = policy["ResponseHeadersPolicyConfig"]
    wanted = {name.lower(): value for name, value in {**edge.headers, **edge.cloud_headers}.items()}
    assert sent_by(config) == wanted
    parts = [*config["SecurityHeadersConfig"].values(), *config["CustomHeadersConfig"]["Items"]]
    assert all(part["Override"] is False for part in parts), "the program's own headers win, as on the runner"


def test_a_header_that_cloudfront_cannot_send_is_refused() -> None:
    with pytest.raises(ValueError, match="Strict-Transport-Security"):
        headers_policy({"Strict-Transport-Security": "for ever"})


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_pages(tmp_path_factory.mktemp("pages"))


@pytest.fixture(scope="module")
def runner(pages: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running(tmp_path_factory.mktemp("data"), pages=pages, show=lambda line: None) as server:
        yield server.url


def ask(url: str) -> tuple[int, Message, bytes]:
    try:
        with urllib.request.urlopen(url) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.headers, refused.read()


def at_the_edge(distribution: Template, pages: Path, path: str) -> tuple[int, bytes, str]:
    """Status, body and Cache-Control that the cloud's edge gives for a file: behaviour, function, bucket."""
    behaviour = behaviour_of(distribution, path)
    uri = rewritten([path])[0] if "FunctionAssociations" in behaviour else path
    key = unquote(uri).removeprefix("/")
    uploaded = {file.relative_to(pages).as_posix(): file for file in pages.rglob("*") if file.is_file()}
    if key not in uploaded:
        return 404, b"", ""
    return 200, uploaded[key].read_bytes(), read_edge().cache_control(f"/{key}")


@pytest.mark.parametrize("path", [path for path in PATHS if ".." not in path and "//" not in path])
def test_the_runner_answers_for_a_file_as_the_edge_would(
    distribution: Template, pages: Path, runner: str, path: str
) -> None:
    status, body, cache_control = at_the_edge(distribution, pages, path)
    told, headers, content = ask(runner + path)
    assert told == status
    if status == 200:
        assert content == body
        assert headers["Cache-Control"] == cache_control


@pytest.mark.parametrize("path", ["/", "/p/x", "/assets/app.js", "/api/time", "/nothing", "/api/nothing"])
def test_every_answer_of_the_runner_carries_the_edges_headers(runner: str, path: str) -> None:
    _, headers, _ = ask(runner + path)
    (policy,) = of_type(edge_template(), "AWS::CloudFront::ResponseHeadersPolicy").values()
    for name, value in sent_by(policy["ResponseHeadersPolicyConfig"]).items():
        if name == "strict-transport-security":
            assert name not in headers, "plain HTTP must not promise encryption"
        else:
            assert headers[name] == value, name


def test_the_time_is_never_kept(runner: str) -> None:
    status, headers, body = ask(f"{runner}/api/time")
    known: Any = json.loads(body)
    assert status == 200
    assert isinstance(known["now"], int)
    assert {"no-store", "no-cache"} & {part.strip() for part in headers["Cache-Control"].split(",")}
