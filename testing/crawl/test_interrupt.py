"""Ctrl-C: exit code 130, and what was found is kept."""

from __future__ import annotations

import signal
import time

from testing.crawl.crawling import PATIENCE_S, Crawler
from testing.crawl.web import hostile as bad
from testing.crawl.web.answer import Answer
from testing.crawl.web.pages import page
from testing.crawl.web.server import Request, Site, Web, hostile


def calendar(request: Request) -> Answer:
    return page(f"/?day={int(request.target.rsplit('=', 1)[1]) + 1}")


def until(web: Web, count: int) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while len(web.log.pages()) < count:
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_what_was_found_is_kept_and_the_code_is_130(crawl: Crawler, web: Web, site: Site) -> None:
    site.otherwise = calendar
    site.delay_s = 0.005
    site.robots("")
    running = crawl.start(site.url("/?day=1"))
    until(web, 50)
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=PATIENCE_S)
    assert running.returncode == 130
    asked = len(web.log.pages())
    records = crawl.read()
    assert asked - 1 <= len(records) <= asked
    assert {(record["status"], record["error"]) for record in records} == {(200, None)}


def test_it_ends_at_once_though_a_server_is_silent(crawl: Crawler, web: Web, site: Site) -> None:
    site.put("/", page("/a", "/b"))
    site.put("/a", hostile(bad.silent))
    running = crawl.start("--timeout", "60", site.url())
    until(web, 2)
    time.sleep(0.1)
    before = time.monotonic()
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=PATIENCE_S)
    assert time.monotonic() - before < 5
    assert running.returncode == 130
    assert site.url() in {record["url"] for record in crawl.read()}


def test_it_ends_at_once_though_it_waits_for_the_rate(crawl: Crawler, web: Web, site: Site) -> None:
    site.put("/", page("/a", "/b"))
    running = crawl.start("--rate", "0.02", "--no-robots", site.url())
    until(web, 1)
    time.sleep(0.2)
    before = time.monotonic()
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=PATIENCE_S)
    assert time.monotonic() - before < 5
    assert running.returncode == 130


def test_check_that_is_interrupted_is_130_too(crawl: Crawler, web: Web, site: Site) -> None:
    site.otherwise = calendar
    site.robots("")
    running = crawl.start("--check", site.url("/?day=1"))
    until(web, 20)
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=PATIENCE_S)
    assert running.returncode == 130
