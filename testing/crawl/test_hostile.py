"""Servers that break the rules, or never end: the URL gets its error, and the crawl goes on."""

from __future__ import annotations

import gzip
import resource

import pytest

from testing.crawl.crawling import Crawler, Record
from testing.crawl.web import hostile as bad
from testing.crawl.web.answer import Answer
from testing.crawl.web.pages import page
from testing.crawl.web.server import Hostile, Site, hostile

LIMITS = ("--max-bytes", "1000000")
SOON = ("--timeout", "0.7")  # for what never answers: each of three attempts takes as long


def record_of(crawl: Crawler, site: Site, act: Hostile, *options: str) -> Record:
    """The record of a page that does this; another page of the host is fetched behind it all the same."""
    site.put("/", page("/bad", "/good"))
    site.put("/bad", hostile(act))
    site.put("/good", Answer(b"good", "text/plain"))
    done = crawl(*LIMITS, *(options or ("--timeout", "2")), site.url())
    good = done.record(site.url("/good"))
    assert (good["status"], good["error"], good["bytes"]) == (200, None, 4)
    return done.record(site.url("/bad"))


@pytest.mark.parametrize("what", bad.BROKEN)
def test_what_is_not_http_is_a_protocol_error(crawl: Crawler, site: Site, what: str) -> None:
    record = record_of(crawl, site, bad.BROKEN[what])
    assert record["error"] == "protocol"


@pytest.mark.parametrize("what", bad.DOUBTFUL)
def test_what_is_doubtful_is_read_or_is_a_protocol_error(crawl: Crawler, site: Site, what: str) -> None:
    record = record_of(crawl, site, bad.DOUBTFUL[what])
    assert record["error"] in (None, "protocol", "decode")
    # Never with what belongs to its framing, or half of it.
    assert record["error"] or record["bytes"] in (5, 15)


ENDLESS = {
    "headers": (bad.endless_headers, {"protocol", "too_large"}),
    "one header": (bad.one_endless_header, {"protocol", "too_large"}),
    "a status line": (bad.endless_status_line, {"protocol", "too_large"}),
    "a body": (bad.endless_body, {"too_large"}),
    "chunks": (bad.endless_chunks, {"too_large"}),
    "a chunk's extension": (bad.endless_chunk_extension, {"protocol", "too_large"}),
    "trailers": (bad.endless_trailers, {"protocol", "too_large"}),
    "informational answers": (bad.endless_informational, {"protocol", "too_large"}),
    "headers, slowly": (bad.slow_headers, {"timeout"}),
    "a body, slowly": (bad.slow_body, {"timeout"}),
    "silence": (bad.silent, {"timeout"}),
    "silence within the head": (bad.says_and_waits(bad.OK), {"timeout"}),
    "silence within the body": (bad.says_and_waits(bad.with_body(b"x", "Content-Length: 9")), {"timeout"}),
}


@pytest.mark.parametrize("what", ENDLESS)
def test_what_never_ends_is_ended(crawl: Crawler, site: Site, what: str) -> None:
    act, errors = ENDLESS[what]
    assert record_of(crawl, site, act, *SOON)["error"] in errors


CUT = {
    "a reset in the head": bad.reset_in_the_head,
    "a body shorter than said": bad.short_body,
    "a reset in the body": bad.reset_in_the_body,
    "chunks without their end": bad.chunks_cut_off,
}


@pytest.mark.parametrize("what", CUT)
def test_an_answer_that_broke_off_keeps_its_status_and_has_an_error(crawl: Crawler, site: Site, what: str) -> None:
    record = record_of(crawl, site, CUT[what])
    assert record["status"] == 200 or what == "a reset in the head"
    assert record["error"] in ("reset", "protocol")


def test_a_timeout_in_the_body_keeps_the_status(crawl: Crawler, site: Site) -> None:
    record = record_of(crawl, site, bad.says_and_waits(bad.with_body(b"x", "Content-Length: 9")), *SOON)
    assert (record["status"], record["error"]) == (200, "timeout")


@pytest.mark.parametrize("act", [bad.reset_before_the_head, bad.closes_at_once])
def test_what_breaks_off_before_its_head_ends_has_an_error(crawl: Crawler, site: Site, act: Hostile) -> None:
    record = record_of(crawl, site, act)
    assert record["status"] == (200 if act is bad.reset_in_the_head else 0)  # its status line had come
    assert record["error"] in ("reset", "protocol")


def test_links_of_an_answer_that_broke_off_do_no_harm(crawl: Crawler, site: Site) -> None:
    act = bad.says(bad.with_body(b"<a href=/found>x</a><a href='/cut", "Content-Length: 1000"))
    record_of(crawl, site, act)
    assert not any("/cut" in record["url"] for record in crawl.read())


def test_more_than_was_said_belongs_to_no_answer(crawl: Crawler, site: Site) -> None:
    record = record_of(crawl, site, bad.long_body)
    assert (record["status"], record["error"], record["bytes"]) == (200, None, 14)


def test_an_answer_nobody_asked_for_is_not_taken_for_the_next(crawl: Crawler, site: Site) -> None:
    answer = Answer(b"one", "text/plain").on_the_wire()
    record = record_of(crawl, site, bad.says_and_waits(answer + Answer(b"smuggled", "text/plain").on_the_wire()))
    assert (record["status"], record["bytes"]) == (200, 3)


@pytest.mark.parametrize("coding", ["gzip", "x-gzip"])
def test_a_bomb_is_too_large_and_takes_no_memory(crawl: Crawler, site: Site, coding: str) -> None:
    site.put("/", Answer(bad.gzip_bomb(512 << 20), headers=(("Content-Encoding", coding),)))
    record = crawl("--max-bytes", "1000000", site.url()).record(site.url())
    assert (record["status"], record["error"]) == (200, "too_large")
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 300 << 10


def test_a_bomb_in_a_bomb_is_too_large(crawl: Crawler, site: Site) -> None:
    packed = gzip.compress(bad.gzip_bomb(512 << 20))
    site.put("/", Answer(packed, headers=(("Content-Encoding", "gzip, gzip"),)))
    assert crawl("--max-bytes", "1000000", site.url()).record(site.url())["error"] in ("too_large", "decode")


def test_a_page_of_nothing_but_tags_ends(crawl: Crawler, site: Site) -> None:
    site.put("/", Answer(b"<a <a <!-- <b" * 60_000 + b"<div>" * 100_000))
    assert crawl(site.url()).record(site.url())["status"] == 200


def test_a_page_of_one_endless_attribute_ends(crawl: Crawler, site: Site) -> None:
    site.put("/", Answer(b"<a href='" + b"x&amp;" * 200_000))
    assert crawl(site.url()).record(site.url())["error"] is None


def test_a_page_of_many_links_takes_no_memory_per_page(crawl: Crawler, site: Site) -> None:
    site.put("/", page(*(f"/{number}" for number in range(200_000))))
    done = crawl("--max-pages", "10", site.url())
    assert done.record(site.url())["links"] == 200_000
    assert len(done.records) == 10


def test_a_url_of_a_megabyte_does_no_harm(crawl: Crawler, site: Site) -> None:
    site.put("/", page("/" + "x" * (1 << 20), "/good"))
    done = crawl("--max-bytes", "10000000", site.url())
    assert site.url("/good") in done.urls


def test_headers_with_line_breaks_in_a_redirect_do_not_split_requests(crawl: Crawler, site: Site) -> None:
    site.put("/", Answer(b"", None, 302, (("Location", "/a%0d%0aX-Evil:%20yes"),)))
    crawl(site.url())
    assert all("x-evil" not in one.headers for one in site.web.log.all())


def test_hundreds_of_hosts_that_do_not_answer_end_together(crawl: Crawler, site: Site) -> None:
    sites = [site.web.site() for _ in range(40)]
    for one in sites:
        one.put("/robots.txt", hostile(bad.silent))
    done = crawl("--timeout", "1", *(one.url() for one in sites))
    assert {record["error"] for record in done.records} == {"robots"}
    assert len(done.records) == 40
