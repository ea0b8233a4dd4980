"""--warc: what was fetched, as WARC 1.1, read back with warcio."""

from __future__ import annotations

import datetime
import gzip
import hashlib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator
from warcio.checker import Checker

from testing.crawl.crawling import Crawler
from testing.crawl.web import hostile as bad
from testing.crawl.web.answer import CODINGS, Answer, Framing, redirect, text
from testing.crawl.web.pages import page
from testing.crawl.web.server import Site, hostile


@dataclass(frozen=True)
class Stored:
    type: str
    url: str
    headers: dict[str, str]
    status: str | None
    payload: bytes


def read(file: Path) -> Iterator[Stored]:
    with file.open("rb") as stream:
        for record in ArchiveIterator(stream, check_digests="raise"):
            names = {name.lower(): value for name, value in record.rec_headers.headers}
            status = (
                record.http_headers.get_statuscode() if record.http_headers and record.rec_type != "request" else None
            )
            yield Stored(
                record.rec_type, names.get("warc-target-uri", ""), names, status, record.content_stream().read()
            )


def by_type(file: Path) -> dict[str, list[Stored]]:
    found: dict[str, list[Stored]] = defaultdict(list)
    for record in read(file):
        found[record.type].append(record)
    return found


@pytest.fixture
def warc(tmp_path: Path) -> Path:
    return tmp_path / "site.warc.gz"


def test_every_page_has_a_response_with_its_body(crawl: Crawler, site: Site, warc: Path) -> None:
    site.put("/", page("/a", "/b", "/missing"))
    site.put("/a", text("one"))
    site.put("/b", text("two"))
    done = crawl("--warc", str(warc), site.url())
    responses = {record.url: record for record in by_type(warc)["response"]}
    assert done.urls <= responses.keys()
    for url, record in done.by_url.items():
        assert responses[url].status == str(record["status"])
        assert hashlib.sha256(responses[url].payload).hexdigest() == record["sha256"]


@pytest.mark.parametrize("framing", ["length", "chunked", "close"])
@pytest.mark.parametrize("coding", [*CODINGS, None])
def test_bodies_are_readable_however_they_travelled(
    crawl: Crawler, site: Site, warc: Path, coding: str | None, framing: Framing
) -> None:
    if coding in ("br", "zstd", "x-gzip"):
        pytest.skip("warcio does not decode it")
    body = b"<p>" + b"words and words " * 500
    site.put("/", Answer(body, coding=coding, framing=framing))
    crawl("--warc", str(warc), site.url())
    (response,) = (record for record in by_type(warc)["response"] if record.url == site.url())
    assert response.payload == body


def test_the_file_begins_with_a_warcinfo_of_version_1_1(crawl: Crawler, site: Site, warc: Path) -> None:
    crawl("--warc", str(warc), site.url())
    first = next(read(warc))
    assert first.type == "warcinfo"
    assert b"heddle" in first.payload.lower()
    assert gzip.decompress(warc.read_bytes()).startswith(b"WARC/1.1\r\n")


def test_a_name_that_ends_in_warc_is_of_a_file_that_is_not_compressed(crawl: Crawler, site: Site, warc: Path) -> None:
    site.put("/", page("/a", "/b"))
    site.put("/a", text("one"))
    site.put("/b", text("one"))
    plain = warc.with_suffix("")
    crawl("--warc", str(plain), site.url())
    crawl("--warc", str(warc), site.url())
    assert plain.read_bytes().startswith(b"WARC/1.1\r\n")
    said = [[(record.type, record.url, record.payload) for record in read(file)][1:] for file in (plain, warc)]
    assert said[0] == said[1]


def test_each_record_is_a_gzip_member_of_its_own(crawl: Crawler, site: Site, warc: Path) -> None:
    site.put("/", page("/a"))
    crawl("--warc", str(warc), site.url())
    assert warc.read_bytes().count(b"\x1f\x8b\x08") >= len(list(read(warc)))
    checker = Checker(type("Words", (), {"inputs": [str(warc)], "verbose": True})())
    checker.process_all()
    assert not checker.exit_value


def test_requests_are_stored_and_belong_to_their_responses(crawl: Crawler, site: Site, warc: Path) -> None:
    site.put("/", page("/a"))
    crawl("--header", "X-Token: secret", "--warc", str(warc), site.url())
    found = by_type(warc)
    responses = {record.headers["warc-record-id"]: record for record in found["response"]}
    assert {record.url for record in found["request"]} >= {site.url(), site.url("/a")}
    for record in found["request"]:
        assert responses[record.headers["warc-concurrent-to"]].url == record.url
        assert record.payload == b""
    assert len({record.headers["warc-record-id"] for records in found.values() for record in records}) == sum(
        map(len, found.values())
    )


def test_responses_have_the_digest_of_their_payload_and_others_that_of_their_block(
    crawl: Crawler, site: Site, warc: Path
) -> None:
    site.put("/", text("one"))
    crawl("--warc", str(warc), site.url())
    (response,) = (record for record in by_type(warc)["response"] if record.url == site.url())
    assert response.headers["warc-payload-digest"] == "sha256:" + hashlib.sha256(b"one").hexdigest()
    assert all(
        record.headers["warc-block-digest"] for kind in ("warcinfo", "request") for record in by_type(warc)[kind]
    )


def test_a_body_that_was_stored_before_is_a_revisit(crawl: Crawler, site: Site, warc: Path) -> None:
    body = "the same body " * 100
    site.put("/", page("/a", "/b"))
    site.put("/a", text(body))
    site.put("/b", text(body))
    crawl("--warc", str(warc), site.url())
    found = by_type(warc)
    (revisit,) = found["revisit"]
    (response,) = (record for record in found["response"] if record.payload == body.encode())
    assert {revisit.url, response.url} == {site.url("/a"), site.url("/b")}
    assert revisit.headers["warc-profile"].endswith("identical-payload-digest")
    assert revisit.headers["warc-payload-digest"] == response.headers["warc-payload-digest"]
    assert revisit.headers["warc-refers-to-target-uri"] == response.url
    assert revisit.headers["warc-refers-to-date"] == response.headers["warc-date"]


def test_redirects_and_errors_are_stored(crawl: Crawler, site: Site, warc: Path) -> None:
    site.put("/", redirect("/missing"))
    crawl("--warc", str(warc), site.url())
    statuses = {record.url: record.status for record in by_type(warc)["response"]}
    assert (statuses[site.url()], statuses[site.url("/missing")]) == ("302", "404")


def test_dates_are_of_now(crawl: Crawler, site: Site, warc: Path) -> None:
    crawl("--warc", str(warc), site.url())
    (response,) = (record for record in by_type(warc)["response"] if record.url == site.url())
    at = datetime.datetime.fromisoformat(response.headers["warc-date"].replace("Z", "+00:00"))
    assert abs((datetime.datetime.now(datetime.UTC) - at).total_seconds()) < 60


def test_an_answer_that_broke_off_does_not_spoil_the_file(crawl: Crawler, site: Site, warc: Path) -> None:
    site.put("/", page("/cut", "/large", "/a"))
    site.put("/cut", hostile(bad.short_body))
    site.put("/large", hostile(bad.endless_body))
    site.put("/a", text("one"))
    crawl("--max-bytes", "100000", "--warc", str(warc), site.url())
    assert any(record.payload == b"one" for record in by_type(warc)["response"])


def test_headers_stand_as_the_server_sent_them(crawl: Crawler, site: Site, warc: Path) -> None:
    site.put("/", Answer(b"x", "text/plain", headers=(("X-Odd", "a  b"), ("x-odd", "c"))))
    crawl("--warc", str(warc), site.url())
    with warc.open("rb") as stream:
        for record in ArchiveIterator(stream):
            if record.rec_type == "response" and record.rec_headers.get_header("WARC-Target-URI") == site.url():
                odd = [value for name, value in record.http_headers.headers if name.lower() == "x-odd"]
                assert odd == ["a  b", "c"]
