"""--metrics PORT: figures for Prometheus while the crawl runs."""

from __future__ import annotations

import signal
import socket
import time
import urllib.error
import urllib.request

from prometheus_client.parser import text_string_to_metric_families

from testing.crawl.crawling import PATIENCE_S, Crawler
from testing.crawl.web.answer import Answer
from testing.crawl.web.pages import page
from testing.crawl.web.server import Request, Site, Web


def calendar(request: Request) -> Answer:
    return page(f"/?day={int(request.target.rsplit('=', 1)[1]) + 1}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def fetch(port: int) -> dict[str, float]:
    """Name and labels of each figure, and its value."""
    deadline = time.monotonic() + 10
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
                text = answer.read().decode()
                break
        except (urllib.error.URLError, ConnectionError):
            assert time.monotonic() < deadline, "nobody answers"
            time.sleep(0.05)
    families = text_string_to_metric_families(text)
    return {f"{one.name}{sorted(one.labels.items())}": one.value for family in families for one in family.samples}


def test_figures_grow_while_it_runs(crawl: Crawler, web: Web, site: Site) -> None:
    site.otherwise = calendar
    site.delay_s = 0.005
    site.robots("")
    port = free_port()
    running = crawl.start("--metrics", str(port), site.url("/?day=1"))
    try:
        first = fetch(port)
        asked = len(web.log.pages())
        while len(web.log.pages()) < asked + 50:
            time.sleep(0.01)
        second = fetch(port)
    finally:
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=PATIENCE_S)
    assert any(name.startswith("heddle_") for name in first), first
    assert any(second[name] >= first[name] + 40 for name in first), (first, second)


def test_a_port_that_is_taken_is_bad_input(crawl: Crawler, web: Web, site: Site) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = crawl("--metrics", str(taken.getsockname()[1]), site.url(), code=2)
    assert done.err.count("\n") == 1
    assert web.log.all() == []
