"""--frontier redis://...: several processes crawl together, and share what the contract says they share."""

from __future__ import annotations

import random
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from testing.crawl.crawling import PATIENCE_S, Crawler, Record, program, read
from testing.crawl.web.answer import Answer, redirect
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


def tell(redis: str, command: str) -> None:
    """Says a command to the server."""
    host, port = redis.removeprefix("redis://").split("/")[0].split(":")
    with socket.create_connection((host, int(port))) as link:
        link.sendall(command.encode() + b"\r\n")
        link.recv(1000)


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


def test_a_link_to_a_password_and_a_database_is_understood(crawl: Crawler, site: Site, redis: str) -> None:
    wide(site, 3, 0)
    with_database = redis.removesuffix("/0") + "/3"
    assert len(Together(crawl, 1, "--frontier", with_database, site.url()).end()) == 4
    refused = crawl.start("--frontier", redis.replace("redis://", "redis://:secret@"), site.url())
    _, err = refused.communicate(timeout=PATIENCE_S)
    assert refused.returncode == 2
    assert err.count("\n") == 1
    assert "secret" not in err


def test_a_password_is_percent_encoded_and_one_that_is_missing_is_said(crawl: Crawler, site: Site, redis: str) -> None:
    wide(site, 3, 0)
    tell(redis, "CONFIG SET requirepass a@b/%")
    refused = crawl.start("--frontier", redis, site.url())
    _, err = refused.communicate(timeout=PATIENCE_S)
    assert refused.returncode == 2
    assert "password" in err
    known = redis.replace("redis://", "redis://:a%40b%2F%25@")
    assert len(Together(crawl, 1, "--frontier", known, site.url()).end()) == 4


@pytest.mark.parametrize(
    "words",
    [
        ["redis://:secret@localhost/0"],
        ["redis://:sec ret@localhost/0"],
        ["--fronteir=redis://:secret@localhost/0", "http://localhost/"],
        ["--rate", "redis://:secret@localhost/0", "http://localhost/"],
        ["--frontier", "redis://:secret@::1/0", "http://localhost/"],
    ],
)
def test_no_message_has_the_password(crawl: Crawler, words: list[str]) -> None:
    running = crawl.start(*words)
    _, err = running.communicate(timeout=PATIENCE_S)
    assert running.returncode == 2
    assert err.count("\n") == 1
    assert "sec" not in err
    assert "ret@" not in err


@pytest.mark.parametrize(
    "url", ["redis://", "http://localhost/", "redis://::1/0", "redis://[::1:7701/0", "redis://]:1/0"]
)
def test_what_is_no_redis_is_bad_input(crawl: Crawler, site: Site, url: str) -> None:
    crawl("--frontier", url, site.url(), code=2)


def test_what_an_emptied_redis_has_lost_is_crawled_when_the_same_command_is_started_again(
    crawl: Crawler, web: Web, redis: str
) -> None:
    sites = [web.site() for _ in range(3)]
    expected = set().union(*(wide(site, 30, 0.02) for site in sites))
    words = ["--frontier", redis, *(site.url() for site in sites)]
    together = Together(crawl, 2, *words)
    while len(web.log.pages()) < 20:
        time.sleep(0.01)
    tell(redis, "FLUSHALL")
    for process in together.processes:
        _, err = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 2
        assert "Start the same command again" in err
    Together(crawl, 2, *words).end()
    urls = [[record["url"] for record in read(file)] for file in together.files]
    assert set().union(*urls) == expected
    assert [len(each) for each in urls] == [len(set(each)) for each in urls]


@pytest.mark.parametrize(("words", "code"), [([], 130), (["--max-time", "2", "--check"], 0)])
def test_the_codes_of_an_early_end_are_the_same_where_redis_is_away(
    crawl: Crawler, web: Web, site: Site, redis: str, words: list[str], code: int
) -> None:
    wide(site, 200, 0.02)
    running = crawl.start("--frontier", redis, *words, site.url())
    while len(web.log.pages()) < 10:
        time.sleep(0.01)
    tell(redis, "SHUTDOWN NOSAVE")
    if not words:
        running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=PATIENCE_S)
    assert running.returncode == code, err
    assert "will be fetched again" in err


def test_too_few_replicas_is_waited_for(crawl: Crawler, web: Web, site: Site, redis: str) -> None:
    wide(site, 60, 0.02)
    together = Together(crawl, 1, "--frontier", redis, site.url())
    while len(web.log.pages()) < 10:
        time.sleep(0.01)
    tell(redis, "CONFIG SET min-replicas-to-write 1")
    time.sleep(0.3)
    tell(redis, "CONFIG SET min-replicas-to-write 0")
    assert len(together.end()) == 61


def test_a_state_beside_it_and_a_timeout_longer_than_a_lease_are_bad_input(
    crawl: Crawler, site: Site, redis: str
) -> None:
    crawl("--frontier", redis, "--state", "state", site.url(), code=2)
    crawl("--frontier", redis, "--timeout", "60", site.url(), code=2)


@pytest.mark.parametrize("policy", ["allkeys-lru", "volatile-ttl"])
def test_a_redis_that_forgets_what_it_knows_is_refused(
    crawl: Crawler, web: Web, site: Site, redis: str, policy: str
) -> None:
    wide(site, 3, 0)
    tell(redis, f"CONFIG SET maxmemory-policy {policy}")
    said = crawl("--frontier", redis, site.url(), code=2).err
    assert policy in said
    assert len(said.splitlines()) == 1
    assert web.log.all() == []
    tell(redis, "CONFIG SET maxmemory-policy noeviction")
    assert len(Together(crawl, 1, "--frontier", redis, site.url()).end()) == 4


def test_they_share_the_most_pages(crawl: Crawler, web: Web, redis: str) -> None:
    sites = [web.site() for _ in range(3)]
    for site in sites:
        wide(site, 30, 0.01)
    words = ["--frontier", redis, "--max-pages", "20", *(site.url() for site in sites)]
    records = Together(crawl, 3, *words).end()
    assert len(records) == 20
    assert len(web.log.pages()) == 20


def test_every_one_of_them_names_all_broken_links(crawl: Crawler, web: Web, redis: str) -> None:
    sites = [web.site() for _ in range(3)]
    for site in sites:
        wide(site, 10, 0.01)
        site.put("/5", page("/gone"))
    processes = Together(crawl, 2, "--check", "--frontier", redis, *(site.url() for site in sites)).processes
    for process in processes:
        out, _ = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 1
        broken = {line: out.splitlines()[at + 1] for at, line in enumerate(out.splitlines()) if line[0] != " "}
        assert broken == {site.url("/gone") + "  404": "    " + site.url("/5") for site in sites}


def test_depths_and_redirects_are_those_of_one_process(crawl: Crawler, web: Web, redis: str) -> None:
    sites = [web.site() for _ in range(3)]
    for number, site in enumerate(sites):
        site.delay_s = 0.01
        site.put("/", page(*(f"/{each}" for each in range(8)), "/far"))
        for each in range(8):
            site.put(f"/{each}", page("/deep", "/loop/0", sites[number - 1].url("/there")))
        site.put("/deep", page("/deeper"))
        site.put("/deeper", Answer(b"x", "text/plain"))
        site.put("/there", page("/deeper"))
        site.put("/far", redirect("/there"))
        for hop in range(3):
            site.put(f"/loop/{hop}", redirect(f"/loop/{(hop + 1) % 3}"))
    given = [site.url() for site in sites]
    crawl.results = crawl.folder / "alone.jsonl"
    alone = crawl(*given).by_url
    together = {record["url"]: record for record in Together(crawl, 3, "--frontier", redis, *given).end()}
    fields = "status error depth redirect links".split()
    assert {url: [one[field] for field in fields] for url, one in together.items()} == {
        url: [one[field] for field in fields] for url, one in alone.items()
    }


def test_an_interrupted_one_gives_back_what_it_had_at_once(crawl: Crawler, web: Web, redis: str) -> None:
    sites = [web.site() for _ in range(3)]
    expected = set().union(*(wide(site, 30, 0.02) for site in sites))
    words = ["--frontier", redis, "--connections", "2", *(site.url() for site in sites)]
    together = Together(crawl, 2, *words)
    while len(web.log.pages()) < 20:
        time.sleep(0.01)
    together.processes[0].send_signal(signal.SIGINT)
    started = time.monotonic()
    for process, code in zip(together.processes, (130, 0), strict=True):
        process.communicate(timeout=PATIENCE_S)
        assert process.returncode == code
    assert time.monotonic() - started < MOST_LEASE_S / 2
    assert {record["url"] for file in together.files for record in read(file)} == expected


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", range(3))
def test_two_that_are_killed_at_random_points_and_started_again(
    crawl: Crawler, web: Web, redis: str, seed: int
) -> None:
    connections = 3
    points = random.Random(seed)
    sites = [web.site() for _ in range(4)]
    expected = set().union(*(wide(site, 40, 0.02) for site in sites))
    words = ["--frontier", redis, "--connections", str(connections), *(site.url() for site in sites)]
    together = Together(crawl, 2, *words)
    kills = 0
    while kills < 4 and len(web.log.pages()) < len(expected) - 20:
        wanted = len(web.log.pages()) + points.randrange(1, 20)
        deadline = time.monotonic() + PATIENCE_S + MOST_LEASE_S
        while len(web.log.pages()) < wanted:
            assert time.monotonic() < deadline, "it does not go on"
            time.sleep(0.002)
        time.sleep(points.random() * 0.03)
        number = points.randrange(2)
        crawl.kill(together.processes[number])
        together.processes[number] = crawl.start("--json", str(together.files[number]), *words)
        kills += 1
    records = together.end()
    assert kills > 1
    assert {record["url"] for record in records} == expected
    for file in together.files:
        urls = [record["url"] for record in read(file)]
        assert len(urls) == len(set(urls)), "a URL is twice in one file"
    assert sum(count - 1 for count in web.log.counts().values()) <= kills * connections
    for exchanges in web.log.by_host().values():
        assert most_at_once(exchanges) <= 1 + kills  # the server still answers one that is dead
