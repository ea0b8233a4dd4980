"""Crawlers on machines of their own, one frontier in Redis on another: one dies, links are cut and restored.

The machines are network namespaces on a bridge. Whatever happens, every page is in the union of their results; a page
is asked for twice only where the lease of a process that died, or was cut off, had ended; and the gap per host holds
over all of them, by the log of the server.
"""

from __future__ import annotations

import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from testing.crawl.crawling import PATIENCE_S, Crawler, program, read
from testing.crawl.machines import Machine, Network, enter, network, why_not
from testing.crawl.web.answer import Answer
from testing.crawl.web.log import Exchange, gaps, most_at_once
from testing.crawl.web.pages import page
from testing.crawl.web.server import Site, Web

LEASE_S = 60
GAP_S = 0.4
# Starts are seen when the server reads requests; on a busy machine that may be later than they were sent. Processes
# that did not share the gap would be seen at any distance, of many one near 0.
JITTER_S = 0.2
SITES, PAGES = 6, 20


class Cluster:
    """Three machines that crawl, one with Redis, one with the sites."""

    def __init__(self, crawl: Crawler, web: Web, net: Network, folder: Path) -> None:
        self.crawl, self.web, self.net = crawl, web, net
        self.server, self.database, *self.crawlers = (net.machine() for _ in range(5))
        addresses = net.more_addresses(self.server, SITES)
        web.run(enter(self.server))
        self.sites = [web.site(address) for address in addresses]
        words = "--save", "", "--bind", self.database.address, "--protected-mode", "no", "--dir", str(folder)
        self.redis = subprocess.Popen([*self.database.command, "redis-server", *words], stdout=subprocess.DEVNULL)
        self.files: list[Path] = []
        self.processes: list[subprocess.Popen[str]] = []
        self.errors: list[str] = []

    def fill(self) -> set[str]:
        return set().union(*(chain_of_levels(site, self.sites) for site in self.sites))

    def start(self, *words: str) -> None:
        """One process on each machine; the server can tell them apart by a header."""
        for number, machine in enumerate(self.crawlers):
            self.files.append(self.crawl.folder / f"results.{number}.jsonl")
            self.crawl.before = machine.command
            common = "--frontier", f"redis://{self.database.address}:6379/0", "--rate", str(1 / GAP_S)
            given = (site.url() for site in self.sites)
            mine = "--json", str(self.files[-1]), "--header", f"Machine: {number}"
            self.processes.append(self.crawl.start(*mine, *common, *words, *given))
            if number == 0:
                self.until(lambda: len(self.web.log.all()) > 0)

    def until(self, holds: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not holds():
            assert time.monotonic() < deadline, "it does not go on"
            time.sleep(0.02)

    def until_pages(self, more: int) -> None:
        """Until so many more pages were asked for."""
        wanted = len(self.web.log.pages()) + more
        self.until(lambda: len(self.web.log.pages()) >= wanted)

    def end(self) -> set[str]:
        """The URLs of all results, when every process has ended."""
        for process in self.processes:
            _, err = process.communicate(timeout=2 * LEASE_S + PATIENCE_S)
            self.errors.append(err)
            assert process.returncode in (0, -signal.SIGKILL), err[-2000:]
        return {record["url"] for file in self.files for record in read(file)}

    def asked_twice(self) -> dict[str, list[str]]:
        """The machines that asked for a page, of those that were asked for more than once."""
        by: dict[str, list[str]] = {}
        for one in self.web.log.pages():
            by.setdefault(one.url, []).append(one.headers["machine"])
        return {url: machines for url, machines in by.items() if len(machines) > 1}

    def by_host(self) -> dict[str, list[Exchange]]:
        return self.web.log.by_host()


def chain_of_levels(site: Site, sites: list[Site]) -> set[str]:
    """Pages two levels deep, with links to every other site too; what is there."""
    others = [other.url(f"/{site.port}") for other in sites if other is not site]
    site.put("/", page(*(f"/{number}" for number in range(PAGES // 2))))
    for number in range(PAGES // 2):
        site.put(f"/{number}", page(f"/{number}/below", *others))
        site.put(f"/{number}/below", Answer(b"x", "text/plain"))
    for other in sites:
        if other is not site:
            site.put(f"/{other.port}", Answer(b"x", "text/plain"))
    return {site.url(path) for path in site.resources}


@pytest.fixture
def cluster(crawl: Crawler, web: Web, tmp_path: Path) -> Iterator[Cluster]:
    if reason := why_not():
        pytest.skip(reason)
    if not shutil.which("redis-server"):
        pytest.skip("redis-server is not installed")
    if "--frontier" not in subprocess.run([program(), "--help"], capture_output=True, text=True).stdout:
        pytest.skip("this crawler has no --frontier")
    with network() as net:
        made = Cluster(crawl, web, net, tmp_path)
        try:
            ping = [*made.database.command, "redis-cli", "-h", made.database.address, "ping"]
            made.until(lambda: subprocess.run(ping, capture_output=True).stdout == b"PONG\n")
            yield made
        finally:
            for process in made.processes:
                if process.poll() is None:
                    crawl.kill(process)
            made.redis.terminate()
            made.redis.wait()


def assert_polite(cluster: Cluster) -> None:
    for host, exchanges in cluster.by_host().items():
        assert min(gaps(exchanges)) >= GAP_S - JITTER_S, host
        assert most_at_once(exchanges) == 1, host


@pytest.mark.timeout(180)
def test_they_share_the_gap_of_each_host(cluster: Cluster) -> None:
    expected = cluster.fill()
    cluster.start()
    assert cluster.end() == expected
    assert cluster.asked_twice() == {}
    assert_polite(cluster)
    assert {one.headers["machine"] for one in cluster.web.log.pages()} == {"0", "1", "2"}


@pytest.mark.timeout(180)
def test_they_wait_for_redis_and_go_on(cluster: Cluster) -> None:
    expected = cluster.fill()
    cluster.start()
    cluster.until_pages(20)
    cluster.net.cut(cluster.database)
    time.sleep(12)  # longer than a process waits for an answer
    before = len(cluster.web.log.pages())
    cluster.net.restore(cluster.database)
    assert cluster.end() == expected
    assert len(cluster.web.log.pages()) > before
    assert cluster.asked_twice() == {}
    assert_polite(cluster)
    assert all("does not answer" in err and "answers again" in err for err in cluster.errors), cluster.errors


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_one_dies_and_redis_is_cut_off(cluster: Cluster) -> None:
    connections = 4
    expected = cluster.fill()
    cluster.start("--connections", str(connections))
    cluster.until_pages(15)
    cluster.crawl.kill(cluster.processes[1])
    cluster.until_pages(5)
    cluster.net.cut(cluster.database)
    time.sleep(5)
    cluster.net.restore(cluster.database)
    assert cluster.end() == expected
    twice = cluster.asked_twice()
    assert len(twice) <= connections
    assert all(machines[0] == "1" and len(machines) == 2 for machines in twice.values()), twice
    assert_polite(cluster)


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_one_is_cut_off_for_longer_than_its_leases_last(cluster: Cluster) -> None:
    expected = cluster.fill()
    cluster.start()
    cluster.until_pages(15)
    cut = cluster.crawlers[0]
    route(cut, "add", cluster.database)
    time.sleep(LEASE_S + 10)
    route(cut, "del", cluster.database)
    assert cluster.end() == expected
    twice = cluster.asked_twice()
    assert all(machines[0] == "0" for machines in twice.values()), twice
    assert_polite(cluster)


def route(machine: Machine, what: str, to: Machine) -> None:
    words = "route", what, "blackhole", f"{to.address}/32"
    subprocess.run(["ip", "-n", machine.namespace, *words], check=True)
