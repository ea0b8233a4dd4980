"""How bodies travel: codings, framings, versions of HTTP; right and broken."""

from __future__ import annotations

from dataclasses import replace

import pytest

from testing.crawl.crawling import Crawler
from testing.crawl.web import hostile as bad
from testing.crawl.web.answer import CODINGS, HTML, Answer, Framing, raw_deflate
from testing.crawl.web.log import Exchange
from testing.crawl.web.pages import Link, Page, page
from testing.crawl.web.server import Site, Web, Writer, hostile

PAGE = Page((Link("", "/a"),), padding=30_000).answer()


def assert_read(crawl: Crawler, site: Site, answer: Answer, size: int | None = None) -> None:
    site.put("/", answer)
    done = crawl(site.url())
    record = done.record(site.url())
    assert (record["status"], record["error"]) == (200, None)
    assert record["bytes"] == (len(PAGE.body) if size is None else size)
    assert site.url("/a") in done.urls


@pytest.mark.parametrize("framing", ["length", "chunked", "close"])
@pytest.mark.parametrize("coding", [*CODINGS, None])
def test_every_coding_in_every_framing(crawl: Crawler, site: Site, coding: str | None, framing: Framing) -> None:
    assert_read(crawl, site, replace(PAGE, coding=coding, framing=framing))


def coded(body: bytes, coding: str) -> Answer:
    return Answer(body, HTML, headers=(("Content-Encoding", coding),))


def test_deflate_without_its_wrapper(crawl: Crawler, site: Site) -> None:
    assert_read(crawl, site, coded(raw_deflate(PAGE.body), "deflate"))


def test_names_of_codings_in_any_case(crawl: Crawler, site: Site) -> None:
    assert_read(crawl, site, coded(CODINGS["gzip"](PAGE.body), " GZip "))


def test_codings_one_after_the_other(crawl: Crawler, site: Site) -> None:
    """RFC 9110, section 8.4: listed in the order in which they were applied."""
    assert_read(crawl, site, coded(CODINGS["br"](CODINGS["gzip"](PAGE.body)), "gzip, br"))


def test_identity_is_no_coding(crawl: Crawler, site: Site) -> None:
    assert_read(crawl, site, coded(PAGE.body, "identity"))


def test_several_members_of_gzip_are_one_body(crawl: Crawler, site: Site) -> None:
    """RFC 1952, section 2.2."""
    half = len(PAGE.body) // 2
    assert_read(crawl, site, coded(CODINGS["gzip"](PAGE.body[:half]) + CODINGS["gzip"](PAGE.body[half:]), "gzip"))


def test_what_can_be_decoded_is_asked_for(crawl: Crawler, web: Web, site: Site) -> None:
    crawl(site.url())
    asked = web.log.pages()[0].headers["accept-encoding"].replace(" ", "").split(",")
    assert {"gzip", "br", "zstd"} <= {word.split(";")[0] for word in asked}


BROKEN = {
    "gzip that is none": coded(b"not packed at all", "gzip"),
    "gzip that is cut off": coded(bad.cut_gzip(PAGE.body), "gzip"),
    "gzip with a wrong checksum": coded(bad.spoilt_gzip(PAGE.body), "gzip"),
    "br that is none": coded(b"\xff" * 100, "br"),
    "br that is cut off": coded(CODINGS["br"](PAGE.body)[:-3], "br"),
    "zstd that is none": coded(b"not packed at all", "zstd"),
    "zstd that is cut off": coded(CODINGS["zstd"](PAGE.body)[:-3], "zstd"),
    "deflate that is none": coded(b"\xff" * 100, "deflate"),
    "deflate that is cut off": coded(CODINGS["deflate"](PAGE.body)[:-6], "deflate"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_what_cannot_be_decoded_is_an_error(crawl: Crawler, site: Site, what: str) -> None:
    site.put("/", BROKEN[what])
    record = crawl(site.url()).record(site.url())
    assert (record["status"], record["error"]) == (200, "decode")


def test_an_empty_body_is_no_error_whatever_its_coding(crawl: Crawler, site: Site) -> None:
    site.put("/", coded(b"", "gzip"))
    record = crawl(site.url()).record(site.url())
    assert (record["status"], record["error"], record["bytes"]) == (200, None, 0)


@pytest.mark.parametrize("framing", ["length", "close"])
def test_http_1_0(crawl: Crawler, site: Site, framing: Framing) -> None:
    assert_read(crawl, site, replace(PAGE, version="HTTP/1.0", framing=framing))


@pytest.mark.parametrize("status", [204, 304])
def test_statuses_without_a_body_end_at_their_head(crawl: Crawler, site: Site, status: int) -> None:
    site.put("/", page("/nothing", "/a"))
    site.put("/nothing", Answer(b"", None, status, framing="none"))
    done = crawl(site.url())
    record = done.record(site.url("/nothing"))
    assert (record["status"], record["error"], record["bytes"]) == (status, None, 0)
    assert done.record(site.url("/a"))["status"] == 404


@pytest.mark.parametrize("first", [b"100 Continue\r\n\r\n", b"103 Early Hints\r\nLink: </a.css>\r\n\r\n"])
def test_informational_answers_come_before_the_answer(crawl: Crawler, site: Site, first: bytes) -> None:
    site.put("/", hostile(bad.says(b"HTTP/1.1 " + first + PAGE.on_the_wire())))
    done = crawl(site.url())
    assert (done.record(site.url())["status"], done.record(site.url())["error"]) == (200, None)
    assert site.url("/a") in done.urls


ODD = {
    "no reason phrase": b"HTTP/1.1 200 \r\n",
    "no blank behind the status": b"HTTP/1.1 200\r\n",
    "a phrase in UTF-8": "HTTP/1.1 200 schön\r\n".encode(),
}


@pytest.mark.parametrize("what", ODD)
def test_status_lines_that_servers_do_send(crawl: Crawler, site: Site, what: str) -> None:
    head = ODD[what] + f"Content-Type: text/html\r\nContent-Length: {len(PAGE.body)}\r\n\r\n".encode()
    site.put("/", hostile(bad.says(head + PAGE.body)))
    done = crawl(site.url())
    assert (done.record(site.url())["status"], done.record(site.url())["error"]) == (200, None)
    assert site.url("/a") in done.urls


def test_a_length_said_twice_alike_is_one(crawl: Crawler, site: Site) -> None:
    size = str(len(PAGE.body))
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {size}\r\n\r\n".encode()
    site.put("/", hostile(bad.says(head + PAGE.body)))
    assert crawl(site.url()).record(site.url())["bytes"] == int(size)


# RFC 9112, section 7.1.1: blanks that a recipient must put up with, and a quoted string with an escaped quote.
EXTENSIONS = [" ", "  ", ";a", " ;a", "; a = b", ';a="b;c"', r';a="b\"c"', ";a=b;c;d=e"]


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_extensions_of_chunks_are_passed_over(crawl: Crawler, site: Site, extension: str) -> None:
    chunks = f"5{extension}\r\nhello\r\n0{extension}\r\n\r\n".encode()
    site.put("/", hostile(bad.says(bad.with_body(chunks, "Transfer-Encoding: chunked"))))
    record = crawl(site.url()).record(site.url())
    assert (record["status"], record["error"], record["bytes"]) == (200, None, 5)


def test_a_body_that_trickles_in_is_read(crawl: Crawler, site: Site) -> None:
    wire = PAGE.on_the_wire()
    pieces = [wire[start : start + 7] for start in range(0, 700, 7)] + [wire[700:]]

    async def act(writer: Writer) -> None:
        for piece in pieces:
            writer.write(piece)
            await writer.drain()

    site.put("/", hostile(act))
    assert crawl(site.url()).record(site.url())["bytes"] == len(PAGE.body)


def connections(exchanges: list[Exchange]) -> int:
    return len({one.connection for one in exchanges})


def test_connections_are_kept_and_used_again(crawl: Crawler, web: Web, site: Site) -> None:
    site.put("/", page(*(f"/{number}" for number in range(30))))
    crawl(site.url())
    assert len(web.log.all()) == 32
    assert connections(web.log.all()) <= 3


def test_a_connection_that_is_to_be_closed_is_not_used_again(crawl: Crawler, web: Web, site: Site) -> None:
    site.put("/", page(*(f"/{number}" for number in range(10))))
    for number in range(10):
        site.put(f"/{number}", Answer(b"x", "text/plain", ends=True))
    done = crawl(site.url())
    assert {record["error"] for record in done.records} == {None}
    assert connections(web.log.pages()) >= 10


def test_a_page_of_some_megabytes(crawl: Crawler, site: Site) -> None:
    body = b"<p>" + b"x" * (6 << 20) + b"<a href=/a>"
    site.put("/", Answer(body, framing="chunked"))
    done = crawl("--max-bytes", str(10 << 20), site.url())
    assert done.record(site.url())["bytes"] == len(body)
    assert site.url("/a") in done.urls
