"""--frontier redis://...: several processes crawl together, and share what the contract says they share."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from testing.crawl.crawling import PATIENCE_S, Crawler, Record, program, read
from testing.crawl.web.answer import Answer
from testing.crawl.web.log import gaps, most_at_once
from testing.crawl.web.pages import page
from testing.crawl.web.server import Site, Web

MOST_LEASE_S = 60


def wide(site: Site, pages: int, delay_s: float) -> set[str]:
    site.delay_s = delay_s
    site.put("/", page(*(f"/{number}" for number in range(pages))))
    for number in range(pages):
        site.put(f"/{number}", Answer(b"x", "text/plain"))
    return {site.url(), *(site.url(f"/{number}") for number in range(pages))}


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[str]:
    """The URL of a server of the test's own."""
    if not shutil.which("redis-server"):
        pytest.skip("redis-server is not installed")
    if (
        program().exists()
        and "--frontier" not in subprocess.run([program(), "--help"], capture_output=True, text=True).stdout
    ):
        pytest.skip("this crawler has no --frontier")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", str(tmp_path)]
    server = subprocess.Popen(["redis-server", *words], stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 10
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                assert time.monotonic() < deadline
                time.sleep(0.02)
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        server.terminate()
        server.wait()


class Together:
    """Some processes on one frontier, each with results of its own."""

    def __init__(self, crawl: Crawler, count: int, *words: str) -> None:
        self.files = [crawl.folder / f"results.{number}.jsonl" for number in range(count)]
        self.processes = [crawl.start("--json", str(file), *words) for file in self.files]

    def end(self) -> list[Record]:
        """All records, once every process has ended well."""
        for process in self.processes:
            _, err = process.communicate(timeout=PATIENCE_S + MOST_LEASE_S)
            assert process.returncode in (0, -9), err[-2000:]
        return [record for file in self.files if file.exists() for record in read(file)]


def test_each_url_is_fetched_by_one_of_them(crawl: Crawler, web: Web, redis: str) -> None:
    sites = [web.site() for _ in range(4)]
    expected = set().union(*(wide(site, 30, 0.01) for site in sites))
    records = Together(crawl, 3, "--frontier", redis, *(site.url() for site in sites)).end()
    assert {record["url"] for record in records} == expected
    assert len(records) == len(expected)
    assert set(web.log.counts().values()) == {1}


def test_they_share_one_at_a_time_per_host(crawl: Crawler, web: Web, site: Site, redis: str) -> None:
    wide(site, 40, 0.02)
    Together(crawl, 3, "--frontier", redis, site.url()).end()
    assert most_at_once(web.log.all()) == 1


def test_they_share_the_rate(crawl: Crawler, web: Web, site: Site, redis: str) -> None:
    wide(site, 10, 0)
    Together(crawl, 3, "--frontier", redis, "--rate", "5", site.url()).end()
    assert min(gaps(web.log.pages())) >= 0.2 - 0.03


def test_a_crawl_on_a_frontier_that_is_done_asks_for_nothing(crawl: Crawler, web: Web, site: Site, redis: str) -> None:
    wide(site, 10, 0)
    Together(crawl, 1, "--frontier", redis, site.url()).end()
    before = len(web.log.pages())
    Together(crawl, 1, "--frontier", redis, site.url()).end()
    assert len(web.log.pages()) == before


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_nothing_is_lost_when_one_is_killed(crawl: Crawler, web: Web, redis: str) -> None:
    sites = [web.site() for _ in range(4)]
    expected = set().union(*(wide(site, 30, 0.02) for site in sites))
    together = Together(crawl, 2, "--frontier", redis, "--connections", "4", *(site.url() for site in sites))
    while len(web.log.pages()) < 30:
        time.sleep(0.01)
    crawl.kill(together.processes[0])
    records = together.end()
    assert {record["url"] for record in records} == expected
    assert sum(count - 1 for count in web.log.counts().values()) <= 4


def test_a_frontier_that_is_not_there_is_said(crawl: Crawler, web: Web, site: Site, redis: str) -> None:
    del redis
    address = web.closed().removeprefix("http://").rstrip("/")
    running = crawl.start("--frontier", f"redis://{address}/0", site.url())
    _, err = running.communicate(timeout=PATIENCE_S)
    assert running.returncode > 0
    assert err.count("\n") == 1
    assert web.log.all() == []
