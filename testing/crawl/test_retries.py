"""What is tried again, how often, and when."""

from __future__ import annotations

import time
from dataclasses import replace
from email.utils import formatdate

import pytest

from testing.crawl.crawling import Crawler
from testing.crawl.web import hostile as bad
from testing.crawl.web.answer import Answer, gone, later, text
from testing.crawl.web.log import gaps
from testing.crawl.web.pages import page
from testing.crawl.web.server import Site, Turns, Web, hostile


@pytest.mark.parametrize("status", [429, 503])
def test_after_retry_after_in_seconds(crawl: Crawler, web: Web, site: Site, status: int) -> None:
    site.put("/", Turns(later(status, "2"), text("there")))
    record = crawl(site.url()).record(site.url())
    assert (record["status"], record["attempts"], record["error"]) == (200, 2, None)
    assert 1.8 <= gaps(web.log.of(site.url()))[0] < 20


def test_after_retry_after_as_a_date(crawl: Crawler, web: Web, site: Site) -> None:
    at = int(time.time()) + 4
    site.put("/", Turns(later(503, formatdate(at, usegmt=True)), text("there")))
    assert crawl(site.url()).record(site.url())["status"] == 200
    assert time.time() >= at
    assert gaps(web.log.of(site.url()))[0] >= 1.8


@pytest.mark.parametrize("after", [None, "soon", "-5", "Thu, 01 Jan 1970 00:00:00 GMT"])
def test_after_about_a_second_where_none_is_said(crawl: Crawler, web: Web, site: Site, after: str | None) -> None:
    site.put("/", Turns(later(503, after), text("there")))
    assert crawl(site.url()).record(site.url())["attempts"] == 2
    least = 0.8 if after in (None, "soon", "-5") else 0.0  # a date that is past may mean at once
    assert least <= gaps(web.log.of(site.url()))[0] < 10


@pytest.mark.parametrize("status", [429, 503])
def test_at_most_three_attempts(crawl: Crawler, web: Web, site: Site, status: int) -> None:
    site.put("/", later(status, "0"))
    record = crawl(site.url()).record(site.url())
    assert (record["status"], record["attempts"], record["error"]) == (status, 3, None)
    assert len(web.log.of(site.url())) == 3


def test_a_wait_beyond_max_time_ends_the_url_at_once(crawl: Crawler, web: Web, site: Site) -> None:
    site.put("/", page("/later", "/a"))
    site.put("/later", later(503, "3600"))
    before = time.monotonic()
    done = crawl("--max-time", "20", site.url())
    assert time.monotonic() - before < 10
    record = done.record(site.url("/later"))
    assert (record["status"], record["attempts"]) == (503, 1)
    assert done.record(site.url("/a"))["status"] == 404
    assert len(web.log.of(site.url("/later"))) == 1


def test_a_huge_retry_after_does_not_wrap_around(crawl: Crawler, web: Web, site: Site) -> None:
    site.put("/", later(503, "99999999999999999999"))
    record = crawl("--max-time", "5", site.url()).record(site.url())
    assert (record["status"], record["attempts"]) == (503, 1)
    assert len(web.log.of(site.url())) == 1


def test_retry_after_holds_for_the_url_that_said_it_and_others_go_on(crawl: Crawler, site: Site) -> None:
    site.put("/", page("/later", "/a", "/b"))
    site.put("/later", Turns(later(503, "2"), text("there")))
    done = crawl(site.url())
    assert {record["status"] for record in done.records} == {200, 404}
    assert done.record(site.url("/later"))["attempts"] == 2


@pytest.mark.parametrize("status", [500, 502, 504, 520])
def test_other_5xx_twice_more(crawl: Crawler, web: Web, site: Site, status: int) -> None:
    site.put("/", gone(status))
    record = crawl(site.url()).record(site.url())
    assert (record["status"], record["attempts"], record["error"]) == (status, 3, None)
    assert len(web.log.of(site.url())) == 3


def test_a_5xx_that_recovers_is_a_page(crawl: Crawler, site: Site) -> None:
    site.put("/", Turns(gone(500), gone(502), page("/a")))
    done = crawl(site.url())
    record = done.record(site.url())
    assert (record["status"], record["attempts"]) == (200, 3)
    assert site.url("/a") in done.urls


@pytest.mark.parametrize("status", [400, 401, 403, 404, 408, 410, 418, 451])
def test_4xx_not(crawl: Crawler, web: Web, site: Site, status: int) -> None:
    site.put("/", gone(status))
    record = crawl(site.url()).record(site.url())
    assert (record["status"], record["attempts"], record["error"]) == (status, 1, None)
    assert len(web.log.of(site.url())) == 1


def test_timeouts_twice_more(crawl: Crawler, web: Web, site: Site) -> None:
    site.put("/", hostile(bad.silent))
    record = crawl("--timeout", "1", site.url()).record(site.url())
    assert (record["status"], record["error"], record["attempts"]) == (0, "timeout", 3)
    assert len(web.log.of(site.url())) == 3


def test_a_timeout_that_recovers_is_a_page(crawl: Crawler, site: Site) -> None:
    site.put("/", Turns(bad.silent, text("there")))
    record = crawl("--timeout", "1", site.url()).record(site.url())
    assert (record["status"], record["error"], record["attempts"]) == (200, None, 2)


def test_resets_twice_more(crawl: Crawler, web: Web, site: Site) -> None:
    # On a connection of its own: one that was used before, the server may close at any time.
    site.put("/robots.txt", replace(gone(404), ends=True))
    site.put("/", hostile(bad.reset_before_the_head))
    record = crawl(site.url()).record(site.url())
    assert (record["status"], record["error"], record["attempts"]) == (0, "reset", 3)
    assert len(web.log.of(site.url())) == 3


def test_a_reset_that_recovers_is_a_page(crawl: Crawler, site: Site) -> None:
    site.put("/", Turns(bad.reset_in_the_body, text("there")))
    record = crawl(site.url()).record(site.url())
    assert (record["status"], record["error"], record["attempts"], record["bytes"]) == (200, None, 2, 5)


def test_a_connection_that_the_server_closed_between_requests_is_no_error(crawl: Crawler, site: Site) -> None:
    """Servers close idle connections when they like (RFC 9112, section 9.5)."""
    site.put("/", page(*(f"/{number}" for number in range(20))))
    for number in range(20):
        site.put(f"/{number}", hostile(bad.says(Answer(b"said nothing of closing", "text/plain").on_the_wire())))
    done = crawl(site.url())
    assert {(record["status"], record["error"]) for record in done.records} == {(200, None)}


def test_a_connection_that_the_server_closes_by_408_is_no_error(crawl: Crawler, web: Web, site: Site) -> None:
    """It may have said so before it saw the request (RFC 9110, section 15.5.9)."""
    site.put("/", Turns(replace(gone(408), ends=True), text("there")))
    record = crawl(site.url()).record(site.url())
    assert (record["status"], record["attempts"], record["bytes"]) == (200, 1, 5)
    first, again = web.log.of(site.url())
    assert first.connection != again.connection


def test_a_408_on_a_new_connection_is_an_answer(crawl: Crawler, web: Web, site: Site) -> None:
    site.put("/robots.txt", replace(gone(404), ends=True))
    site.put("/", replace(gone(408), ends=True))
    assert crawl(site.url()).record(site.url())["status"] == 408
    assert len(web.log.of(site.url())) == 1


def test_retries_keep_the_rate(crawl: Crawler, web: Web, site: Site) -> None:
    site.put("/", later(503, "0"))
    crawl("--rate", "2", site.url())
    assert min(gaps(web.log.all())) >= 0.4
