"""What the crawler archives is what warcio, the reader of the web archives' own tools, finds in the file."""

from __future__ import annotations

import gzip
import os
import random
import subprocess
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest
from warcio.archiveiterator import ArchiveIterator, WARCIterator
from warcio.checker import Checker
from warcio.recordloader import ArcWarcRecord

ROOT = Path(__file__).parents[2]
BUILD = Path(os.environ.get("HEDDLE_BUILD", ROOT / "build/dev"))


class Exchange(NamedTuple):
    url: str
    microseconds: int
    address: str
    request: bytes
    head: bytes
    body: bytes
    truncated: str = ""


def netstring(value: str | int | bytes) -> bytes:
    data = value if isinstance(value, bytes) else str(value).encode()
    return b"%d:%b," % (len(data), data)


def write(path: Path, exchanges: Iterable[Exchange]) -> None:
    given = b"".join(netstring(value) for exchange in exchanges for value in exchange)
    subprocess.run([BUILD / "testing/crawl/write_warc", path], input=given, check=True, timeout=60)


def made_up(seed: int, count: int) -> list[Exchange]:
    """Exchanges of all kinds: compressed, chunked before, empty, truncated, bytes of any value, bodies met before."""
    some = random.Random(seed)
    exchanges: list[Exchange] = []
    for number in range(count):
        body = some.randbytes(some.choice((0, 1, 100, 70_000)))
        again = some.random() < 0.4 and len(exchanges) > 0
        if again:
            body = some.choice(exchanges).body
        fields = [b"Content-Type: text/html", b"X-Odd: \xff\xfe", b"Set-Cookie: a=b", b"set-cookie: c=d"]
        if not again and some.random() < 0.3:
            body = gzip.compress(body, mtime=0)
            fields.append(b"Content-Encoding: gzip")
        fields.append(some.choice((b"Transfer-Encoding: chunked", b"Content-Length: %d" % len(body))))
        status = some.choice((b"200 OK", b"404 Not Found", b"301 ", b"503 Service Unavailable"))
        url = f"https://host{number % 3}.example/page/{number}?q=%C3%A4&r=[]"
        exchanges.append(
            Exchange(
                url,
                1_700_000_000_000_000 + number * 1_234_567,
                some.choice(("192.0.2.1", "2001:db8::1", "")),
                f"GET /page/{number} HTTP/1.1\r\nHost: host{number % 3}.example\r\n\r\n".encode(),
                b"HTTP/1.1 " + status + b"\r\n" + b"".join(field + b"\r\n" for field in fields) + b"\r\n",
                body,
                some.choice(("", "", "", "length", "disconnect")),
            )
        )
    return exchanges


def records(path: Path) -> list[tuple[ArcWarcRecord, bytes]]:
    with path.open("rb") as file:
        return [(record, record.raw_stream.read()) for record in ArchiveIterator(file, no_record_parse=True)]


def date(exchange: Exchange) -> str:
    return datetime.fromtimestamp(exchange.microseconds / 1e6, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def id_of(record: ArcWarcRecord) -> str:
    return str(record.rec_headers.get_header("WARC-Record-ID"))


@pytest.mark.parametrize("seed", range(5))
def test_warcio_finds_every_exchange_as_it_was(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "crawl.warc.gz"
    exchanges = made_up(seed, 60)
    write(path, exchanges)
    found = records(path)
    assert found[0][0].rec_type == "warcinfo"
    assert len({id_of(record) for record, _ in found}) == len(found) == 1 + 2 * len(exchanges)
    bodies: dict[str, Exchange] = {}
    whole: set[bytes] = set()
    revisits = 0
    for exchange, (response, block), (request, asked) in zip(exchanges, found[1::2], found[2::2], strict=True):
        assert request.rec_type == "request"
        assert asked == exchange.request
        assert request.rec_headers.get_header("WARC-Concurrent-To") == id_of(response)
        for record in (response, request):
            assert record.rec_headers.get_header("WARC-Target-URI") == exchange.url
            assert record.rec_headers.get_header("WARC-Date") == date(exchange)
            assert record.rec_headers.get_header("WARC-IP-Address") == (exchange.address or None)
        head = exchange.head.replace(b"Transfer-Encoding", b"X-Archive-Orig-Transfer-Encoding")
        if exchange.body in whole and not exchange.truncated:
            revisits += 1
            assert response.rec_type == "revisit"
            assert block == head
            before = bodies[response.rec_headers.get_header("WARC-Refers-To")]
            assert before.body == exchange.body
            assert response.rec_headers.get_header("WARC-Refers-To-Target-URI") == before.url
            assert response.rec_headers.get_header("WARC-Refers-To-Date") == date(before)
        else:
            assert response.rec_type == "response"
            assert block == head + exchange.body
            assert response.rec_headers.get_header("WARC-Truncated") == (exchange.truncated or None)
            bodies[id_of(response)] = exchange
            if exchange.body and not exchange.truncated:
                whole.add(exchange.body)
    assert 0 < revisits < 30


def test_warcio_undoes_content_codings_and_finds_all_digests_right(tmp_path: Path) -> None:
    path = tmp_path / "crawl.warc.gz"
    exchanges = made_up(7, 80)
    write(path, exchanges)
    left = iter(exchanges)
    compared = 0
    with path.open("rb") as file:
        # Raises where the digest of a block or a payload is not what the record says.
        for record in WARCIterator(file, check_digests="raise"):
            exchange = next(left) if record.rec_type in {"response", "revisit"} else None
            if exchange is None or record.rec_type == "revisit":
                record.raw_stream.read()
                continue
            assert record.http_headers.get_statuscode() == exchange.head.split()[1].decode()
            packed = b"Content-Encoding: gzip" in exchange.head
            assert record.content_stream().read() == (gzip.decompress(exchange.body) if packed else exchange.body)
            compared += 1
    assert next(left, None) is None
    assert compared > 40


def test_warcio_check_is_content(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "crawl.warc.gz"
    write(path, made_up(9, 40))

    class Options:
        inputs = (str(path),)
        verbose = True

    assert Checker(Options()).process_all() == 0
    said = capsys.readouterr().out
    assert "digest pass" in said
    assert "digest failed" not in said


def test_warcio_reads_on_behind_a_record_that_was_torn_and_cut(tmp_path: Path) -> None:
    path = tmp_path / "crawl.warc.gz"
    exchanges = made_up(11, 6)
    write(path, exchanges)
    whole = path.read_bytes()
    for torn in range(len(whole) - 300, len(whole), 29):
        path.write_bytes(whole[:torn])
        write(path, exchanges[:1])
        kinds = [record.rec_type for record, _ in records(path)]
        assert kinds.count("warcinfo") == 2
        assert kinds[-3:] == ["warcinfo", "response", "request"]
        assert len(kinds) in {1 + 2 * 6 - 1 + 3, 1 + 2 * 6 - 2 + 3}
"""--warc: what was fetched, as WARC 1.1, read back with warcio."""
import base64
import datetime
import hashlib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from warcio.archiveiterator import ArchiveIterator
from testing.crawl.crawling import Crawler
from testing.crawl.web import hostile as bad
from testing.crawl.web.answer import CODINGS, Answer, Framing, redirect, text
from testing.crawl.web.pages import page
from testing.crawl.web.server import Site, hostile
@dataclass(frozen=True)
class Stored:
    type: str
    headers: dict[str, str]
    status: str | None
    payload: bytes
def read(file: Path) -> Iterator[Stored]:
    with file.open("rb") as stream:
        for record in ArchiveIterator(stream, check_digests="raise"):
            names = {name.lower(): value for name, value in record.rec_headers.headers}
            status = (
                record.http_headers.get_statuscode() if record.http_headers and record.rec_type != "request" else None
            yield Stored(
                record.rec_type, names.get("warc-target-uri", ""), names, status, record.content_stream().read()
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
    if coding in ("zstd", "x-gzip"):
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
def test_digests_are_those_of_payload_and_block(crawl: Crawler, site: Site, warc: Path) -> None:
    site.put("/", text("one"))
    crawl("--warc", str(warc), site.url())
    (response,) = (record for record in by_type(warc)["response"] if record.url == site.url())
    assert response.headers["warc-block-digest"]
    algorithm, digest = response.headers["warc-payload-digest"].split(":")
    own = hashlib.new(algorithm.replace("-", ""), b"one")
    assert digest.lower() in (own.hexdigest(), base64.b32encode(own.digest()).decode().lower())
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
