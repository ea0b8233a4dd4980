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
