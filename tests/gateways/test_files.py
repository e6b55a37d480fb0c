"""The files gateway: the same cases on S3 (moto) and on the disk."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import boto3
import pytest
from moto import mock_aws

from chalicelib.gateways.files import Conflict, Files, S3Files, attachment
from infra.local.files import LocalFiles, Refused

JSON = "application/json"
DAY = "public, max-age=86400"


@pytest.fixture
def s3_files(monkeypatch: pytest.MonkeyPatch) -> Iterator[S3Files]:
    for name, value in (
        ("AWS_ACCESS_KEY_ID", "local"),
        ("AWS_SECRET_ACCESS_KEY", "local"),
        ("AWS_DEFAULT_REGION", "us-east-1"),
    ):
        monkeypatch.setenv(name, value)
    with mock_aws():
        client = boto3.client("s3")
        client.create_bucket(Bucket="private")
        client.create_bucket(Bucket="site")
        yield S3Files("private", "site")


@pytest.fixture(params=["s3", "disk"])
def files(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    if request.param == "s3":
        return request.getfixturevalue("s3_files")
    return LocalFiles(tmp_path / "files", b"secret")


def test_a_file_comes_back_with_its_headers(files: Files) -> None:
    etag = files.put("pub/e1/pulse.json", b'{"v": 1}', JSON, "max-age=1")
    found = files.get("pub/e1/pulse.json")
    assert found is not None
    assert (found.body, found.content_type, found.cache_control, found.etag) == (b'{"v": 1}', JSON, "max-age=1", etag)
    assert etag.startswith('"')


def test_what_is_not_there_is_none(files: Files) -> None:
    assert files.get("pub/none.json") is None
    files.put("a", b"1", JSON, DAY)
    assert files.get("a/b") is None


def test_a_key_may_be_the_path_of_another(files: Files) -> None:
    files.put("a/b", b"1", JSON, DAY)
    files.put("a", b"2", JSON, DAY)
    assert files.list_prefix("a") == ["a", "a/b"]


def test_a_binary_body_keeps_every_byte(files: Files) -> None:
    body = bytes(range(256)) + b"\n\r\n"
    files.put("uploads/roster.xlsx", body, "application/octet-stream", "no-store")
    found = files.get("uploads/roster.xlsx")
    assert found is not None
    assert found.body == body


def test_the_first_writer_wins(files: Files) -> None:
    first = files.put_if_match("pub/p.json", b"1", None, JSON, DAY)
    with pytest.raises(Conflict):
        files.put_if_match("pub/p.json", b"2", None, JSON, DAY)
    second = files.put_if_match("pub/p.json", b"3", first, JSON, DAY)
    with pytest.raises(Conflict):
        files.put_if_match("pub/p.json", b"4", first, JSON, DAY)
    found = files.get("pub/p.json")
    assert found is not None
    assert (found.body, found.etag) == (b"3", second)


def test_a_deleted_file_cannot_be_matched(files: Files) -> None:
    etag = files.put("pub/p.json", b"1", JSON, DAY)
    files.delete("pub/p.json")
    files.delete("pub/p.json")
    with pytest.raises(Conflict):
        files.put_if_match("pub/p.json", b"2", etag, JSON, DAY)
    assert files.get("pub/p.json") is None


def test_prefixes_list_and_delete(files: Files) -> None:
    for key in ("pub/e1/s/1.json", "pub/e1/s/2.json", "pub/e1/t/1.json", "pub/e10/s/1.json"):
        files.put(key, b"{}", JSON, DAY)
    assert files.list_prefix("pub/e1/s/") == ["pub/e1/s/1.json", "pub/e1/s/2.json"]
    assert files.list_prefix("pub/none/") == []
    assert files.delete_prefix("pub/e1/") == 3
    assert files.list_prefix("pub/") == ["pub/e10/s/1.json"]


def test_more_than_one_page_of_keys(files: Files) -> None:
    for number in range(1005):
        files.put(f"pub/many/{number:04d}.json", b"{}", JSON, DAY)
    assert len(files.list_prefix("pub/many/")) == 1005
    assert files.delete_prefix("pub/many/") == 1005
    assert files.list_prefix("pub/many/") == []


@pytest.mark.parametrize("key", ["", "/a", "a/", "a//b", "../a", "a/../b", "a/./b", "a\\b", "名", "a b", "x" * 513])
def test_what_is_no_key_is_refused(files: Files, key: str) -> None:
    with pytest.raises(ValueError, match="not a key"):
        files.put(key, b"", JSON, DAY)
    with pytest.raises(ValueError, match="not a key"):
        files.get(key)


def test_an_empty_prefix_is_refused(files: Files) -> None:
    with pytest.raises(ValueError, match="empty"):
        files.delete_prefix("")


def test_a_ticket_names_key_and_size(files: Files) -> None:
    ticket = files.upload_ticket("uploads/1.xlsx", 10_000_000)
    assert (ticket.key, ticket.max_bytes) == ("uploads/1.xlsx", 10_000_000)
    assert ticket.fields["key"] == "uploads/1.xlsx"


def test_public_files_go_to_their_own_bucket(s3_files: S3Files) -> None:
    s3_files.put("pub/a.json", b"1", JSON, DAY)
    s3_files.put("uploads/a.json", b"2", JSON, DAY)
    client = boto3.client("s3")
    keys = {
        bucket: [entry["Key"] for entry in client.list_objects_v2(Bucket=bucket)["Contents"]]
        for bucket in ("site", "private")
    }
    assert keys == {"site": ["pub/a.json"], "private": ["uploads/a.json"]}


def test_a_download_link_of_s3_carries_the_name(s3_files: S3Files) -> None:
    link = urlsplit(s3_files.download_link("downloads/1.xlsx", "成绩 1.xlsx", 60))
    query = parse_qs(link.query)
    assert link.path == "/downloads/1.xlsx"
    assert query["response-content-disposition"] == [attachment("成绩 1.xlsx")]
    assert query["X-Amz-Expires"] == ["60"]
    assert unquote(attachment("成绩.xlsx").partition("UTF-8''")[2]) == "成绩.xlsx"


class Clock:
    """Seconds that pass when the test says so."""

    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def test_local_links_expire_and_cannot_be_forged(tmp_path: Path) -> None:
    clock = Clock()
    files = LocalFiles(tmp_path, b"secret", clock)
    signed = parse_qs(urlsplit(files.download_link("downloads/1.xlsx", "成绩.xlsx", 60)).query)["grant"][0]
    assert files.granted("download", signed).filename == "成绩.xlsx"
    with pytest.raises(Refused):
        files.granted("upload", signed)
    with pytest.raises(Refused):
        LocalFiles(tmp_path, b"other", clock).granted("download", signed)
    for forged in ("", "x", signed[:-1] + ("0" if signed[-1] != "0" else "1"), "ü" + signed):
        with pytest.raises(Refused):
            files.granted("download", forged)
    clock.now += 61
    with pytest.raises(Refused):
        files.granted("download", signed)


def test_parallel_writers_of_one_local_file_never_lose_a_step(tmp_path: Path) -> None:
    files = LocalFiles(tmp_path, b"secret")
    files.put("pub/count", b"0", JSON, DAY)

    def count() -> None:
        for _ in range(50):
            while True:
                there = files.get("pub/count")
                assert there is not None
                try:
                    files.put_if_match("pub/count", str(int(there.body) + 1).encode(), there.etag, JSON, DAY)
                    break
                except Conflict:
                    continue

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = files.get("pub/count")
    assert found is not None
    assert found.body == b"200"


def test_what_a_killed_writer_left_is_cleared_away_later(tmp_path: Path) -> None:
    (tmp_path / "pub").mkdir()
    old, young = tmp_path / "pub" / "old.writing", tmp_path / "pub" / "young.writing"
    for left in (old, young):
        left.write_bytes(b"half of")
    hours_ago = old.stat().st_mtime - 7200
    os.utime(old, (hours_ago, hours_ago))
    files = LocalFiles(tmp_path, b"secret")
    assert (old.exists(), young.exists()) == (False, True)
    assert files.list_prefix("pub/") == []
