"""A host that holds its level up does not hold up others; what they bring is recorded as if it had."""

from __future__ import annotations

import asyncio
import random
import signal
import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from testing.crawl.crawling import PATIENCE_S, Crawler
from testing.crawl.killing import asked_again, killed_again_and_again
from testing.crawl.reference import Options
from testing.crawl.test_metrics import fetch, free_port
from testing.crawl.test_random_webs import CONNECTIONS, differences
from testing.crawl.web.answer import Answer, gone, later, redirect
from testing.crawl.web.log import most_at_once
from testing.crawl.web.pages import page
from testing.crawl.web.random_web import RandomWeb
from testing.crawl.web.server import Reply, Request, Site, Turns, Web, Writer, hostile

LENGTH = 8


class Gate:
    """A resource whose answer is held back until the gate is opened, or given up."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self._open = threading.Event()

    def open(self) -> None:
        self._open.set()

    def __call__(self, request: Request) -> Reply:
        if self._open.is_set():
            return self.answer

        async def wait(writer: Writer) -> None:
            while not self._open.is_set():
                await asyncio.sleep(0.01)
            writer.write(self.answer.on_the_wire())
            await writer.drain()

        return hostile(wait)(request)


class Held:
    """Two given hosts: one does not answer for /slow, at depth 1; the other has a chain of pages."""

    def __init__(self, crawl: Crawler, web: Web, *links_of_slow: str) -> None:
        self.crawl, self.web = crawl, web
        self.slow, self.other = web.site(), web.site()
        self.slow.put("/", page("/slow"))
        self.gate = Gate(page(*(self.other.url(link) for link in links_of_slow)))
        self.slow.put("/slow", self.gate)
        for number in range(LENGTH + 1):
            self.other.put(f"/{number}", page(f"/{number + 1}") if number < LENGTH else page())
        self.words: list[str] = [self.slow.url(), self.other.url("/0")]

    def start(self, *words: str | Path) -> subprocess.Popen[str]:
        return self.crawl.start(*words, *self.words)

    def asked(self, path: str) -> bool:
        return bool(self.web.log.of(self.other.url(path)))

    def depths(self) -> dict[str, int]:
        return {record["url"]: record["depth"] for record in self.crawl.read()}

    def end(self, running: subprocess.Popen[str]) -> None:
        self.gate.open()
        _, err = running.communicate(timeout=PATIENCE_S)
        assert running.returncode == 0, err


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_others_go_ahead_and_are_recorded_in_their_turn(crawl: Crawler, web: Web) -> None:
    held = Held(crawl, web)
    running = held.start()
    until(lambda: held.asked(f"/{LENGTH}"))  # though /slow has no answer
    time.sleep(0.2)
    first = {held.slow.url(): 0, held.other.url("/0"): 0, held.other.url("/1"): 1}
    assert held.depths() == first
    held.end(running)
    chain = {held.other.url(f"/{number}"): number for number in range(LENGTH + 1)}
    assert held.depths() == {held.slow.url(): 0, held.slow.url("/slow"): 1, **chain}
    assert set(web.log.counts().values()) == {1}
    by_url = {record["url"]: record for record in crawl.read()}
    for number in range(1, LENGTH + 1):
        assert by_url[held.other.url(f"/{number}")]["referrer"] == held.other.url(f"/{number - 1}")
        assert by_url[held.other.url(f"/{number}")]["sha256"]


def test_what_went_ahead_is_counted(crawl: Crawler, web: Web, tmp_path: Path) -> None:
    held = Held(crawl, web)
    port = free_port()
    running = held.start("--metrics", str(port), "--state", tmp_path / "state")
    until(lambda: held.asked(f"/{LENGTH}"))
    until(lambda: fetch(port)["heddle_crawl_ahead[]"] == LENGTH - 1)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=PATIENCE_S)
    assert f", {LENGTH} left" in err  # these, and /slow
    held.gate.open()
    crawl("--state", tmp_path / "state", *held.words)
    assert len(held.depths()) == LENGTH + 3


def test_a_shorter_way_found_later_counts(crawl: Crawler, web: Web) -> None:
    held = Held(crawl, web, f"/{LENGTH - 2}")
    held.other.put(f"/{LENGTH}", page("/deep"))
    running = held.start("--max-depth", str(LENGTH))
    until(lambda: held.asked(f"/{LENGTH}"))  # so /deep is too deep, so far
    time.sleep(0.2)
    assert not held.asked("/deep")
    held.end(running)
    found = held.depths()
    chain = {f"/{number}": number for number in range(LENGTH - 2)}
    chain |= {f"/{LENGTH - 2}": 2, f"/{LENGTH - 1}": 3, f"/{LENGTH}": 4, "/deep": 5}
    assert {url: depth for url, depth in found.items() if url.startswith(held.other.origin)} == {
        held.other.url(path): depth for path, depth in chain.items()
    }
    by_url = {record["url"]: record for record in crawl.read()}
    assert by_url[held.other.url(f"/{LENGTH - 2}")]["referrer"] == held.slow.url("/slow")


def test_a_page_that_waits_for_its_retry_does_not_hold_up_its_own_host(crawl: Crawler, web: Web, site: Site) -> None:
    site.put("/", page("/busy", "/1"))
    site.put("/busy", Turns(later(429, "2"), page("/behind")))
    for number in range(1, LENGTH):
        site.put(f"/{number}", page(f"/{number + 1}") if number + 1 < LENGTH else page())
    result = crawl(site.url())
    asked = web.log.urls()
    assert (
        asked.index(site.url(f"/{LENGTH - 1}"))
        < [number for number, url in enumerate(asked) if url == site.url("/busy")][1]
    )
    depths = {f"/{number}": number for number in range(1, LENGTH)} | {"/": 0, "/busy": 1, "/behind": 2}
    assert {url: record["depth"] for url, record in result.by_url.items()} == {
        site.url(path): depth for path, depth in depths.items()
    }
    assert most_at_once(web.log.all()) == 1


@pytest.mark.parametrize("answer", [gone(404), redirect("/there"), redirect("mailto:a@b.example"), Answer(b"x" * 9999)])
def test_every_kind_of_answer_has_the_same_record(crawl: Crawler, web: Web, answer: Answer) -> None:
    found = []
    for is_held in (True, False):
        held = Held(crawl, web)
        held.other.put("/3", answer)
        held.other.put("/there", page("/5"))
        if is_held:
            running = held.start("--max-bytes", "2000")
            until(lambda: held.asked("/3"))  # noqa: B023
            time.sleep(0.2)
            held.end(running)
        else:
            held.gate.open()
            crawl("--max-bytes", "2000", *held.words)
        short = {held.slow.origin: "slow", held.other.origin: "other", None: None}
        records = []
        for record in crawl.read():
            del record["ms"]
            for name in ("url", "referrer", "redirect"):
                for origin, word in short.items():
                    if record[name] and origin:
                        record[name] = record[name].replace(origin, str(word))
            records.append(record)
        found.append(sorted(records, key=lambda record: str(record["url"])))
    assert found[0] == found[1]


def test_a_check_finds_what_is_broken_ahead(crawl: Crawler, web: Web) -> None:
    held = Held(crawl, web)
    held.other.put("/3", page("/4", "/missing", web.site().url("/picture")))
    running = held.start("--check", "--private")
    until(lambda: held.asked(f"/{LENGTH}"))
    held.gate.open()
    out, err = running.communicate(timeout=PATIENCE_S)
    assert running.returncode == 1, err
    assert f"{held.other.url('/missing')}  404\n    {held.other.url('/3')}\n" in out
    assert "/picture  404" in out
    assert web.log.counts()[held.other.url("/missing")] == 1


def test_what_is_only_looked_at_goes_ahead_when_all_pages_are_done(crawl: Crawler, web: Web, site: Site) -> None:
    slow, other = web.site(), web.site()
    site.put("/", page("/1", slow.url("/")))
    site.put("/1", page(other.url("/")))
    gate = Gate(page())
    slow.put("/", gate)
    other.put("/", page())
    running = crawl.start("--check", "--private", site.url())
    until(lambda: bool(web.log.of(other.url("/"))))
    gate.open()
    running.communicate(timeout=PATIENCE_S)
    assert running.returncode == 0
    assert {record["url"]: record["depth"] for record in crawl.read()} == {
        site.url(): 0,
        site.url("/1"): 1,
        slow.url(): 1,
        other.url(): 2,
    }


def test_the_nearest_pages_are_those_of_max_pages(crawl: Crawler, web: Web) -> None:
    held = Held(crawl, web)
    running = held.start("--max-pages", "5")
    until(lambda: bool(web.log.of(held.slow.url("/slow"))))
    time.sleep(0.6)
    assert not held.asked("/2")
    held.end(running)
    assert sorted(held.depths().values())[:4] == [0, 0, 1, 1]
    assert len(held.depths()) == 5


@pytest.mark.parametrize("kept", [False, True])
def test_an_interrupt_leaves_no_record_out(crawl: Crawler, web: Web, tmp_path: Path, kept: bool) -> None:
    held = Held(crawl, web)
    words = ["--state", str(tmp_path / "state")] if kept else []
    running = held.start(*words)
    until(lambda: held.asked(f"/{LENGTH}"))
    time.sleep(0.2)
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=PATIENCE_S)
    assert running.returncode == 130
    chain = {held.other.url(f"/{number}"): number for number in range(LENGTH + 1)}
    if not kept:  # there is no other run to write them
        assert held.depths() == {held.slow.url(): 0, **chain}
        return
    assert len(held.depths()) < len(chain)
    held.gate.open()
    assert crawl(*words, *held.words).urls == {held.slow.url(), held.slow.url("/slow"), *chain}
    assert held.depths() == {held.slow.url(): 0, held.slow.url("/slow"): 1, **chain}
    assert all(count == 1 for url, count in web.log.counts().items() if url in chain)


def test_what_was_fetched_ahead_survives_a_kill(crawl: Crawler, web: Web, tmp_path: Path) -> None:
    held = Held(crawl, web, f"/{LENGTH - 2}")
    words = ["--state", str(tmp_path / "state"), "--warc", str(tmp_path / "all.warc")]
    running = held.start(*words)
    until(lambda: held.asked(f"/{LENGTH}"))
    time.sleep(0.5)  # until the last one is committed
    crawl.kill(running)
    assert held.other.url("/4") not in held.depths()
    held.gate.open()
    crawl(*words, *held.words)
    assert held.depths()[held.other.url(f"/{LENGTH}")] == 4
    assert len(held.depths()) == LENGTH + 3
    counts = web.log.counts()
    assert {url for url, count in counts.items() if count > 1} <= {held.slow.url("/slow")}
    with (tmp_path / "all.warc").open("rb") as stream:
        responses = [
            record.rec_headers["WARC-Target-URI"]
            for record in ArchiveIterator(stream)
            if record.rec_type in ("response", "revisit")
        ]
    archived = [url for url in responses if "robots" not in url]
    assert sorted(archived) == sorted(held.depths())


@pytest.mark.parametrize("what", [b"", b"\xc1", b"\x90", b"\x9c" + 12 * b"\xa1x"])
def test_a_kept_page_that_is_damaged_is_refused(crawl: Crawler, web: Web, tmp_path: Path, what: bytes) -> None:
    held = Held(crawl, web, f"/{LENGTH - 2}")
    words = ["--state", str(tmp_path / "state")]
    running = held.start(*words)
    until(lambda: held.asked(f"/{LENGTH}"))
    time.sleep(0.5)  # until the last one is committed
    crawl.kill(running)
    with closing(sqlite3.connect(tmp_path / "state/frontier.db")) as store, store:
        assert store.execute("UPDATE kept SET what = ?", (what,)).rowcount > 0
    held.gate.open()
    assert "the state of the crawl is damaged" in crawl(*words, *held.words, code=2).err


def try_web(crawl: Crawler, web: Web, seed: int, kills: int = 0) -> None:
    """One site takes long for each of its answers, so that all levels last long."""
    chance = random.Random(seed)
    made = RandomWeb(web, seed, pages=12)
    made.sites[chance.randrange(3)].delay_s = 0.3
    options = Options(
        max_depth=chance.choice((None, 2, 3, 5)),
        span_hosts=chance.random() < 0.5,
        resources=chance.random() < 0.5,
        private=True,
        no_robots=chance.random() < 0.3,
    )
    given = [site.url() for site in made.sites]
    rate = chance.choice(("0", "1000"))
    words = [*options.words(), "--rate", rate, *given]
    if kills:
        words += ["--state", str(crawl.folder / "state"), "--connections", str(CONNECTIONS)]
    asked = killed_again_and_again(crawl, web, words, seed, kills)
    found = crawl.read()
    records = {record["url"]: record for record in found}
    assert len(records) == len(found), "a URL has two records"
    said = differences(made, options, given, records)
    said += [f"asked for and not recorded: {url}" for url in set(web.log.urls()) - set(records) if "map.xml" not in url]
    assert said == [], f"seed {seed}, {words}:\n" + "\n".join(said)
    assert asked_again([{url for url in run if "map.xml" not in url} for run in asked]) <= CONNECTIONS
    if rate != "0" and not kills:  # the server does not notice at once that its peer was killed
        assert all(most_at_once(exchanges) == 1 for exchanges in web.log.by_host().values())


@pytest.mark.parametrize("seed", range(8))
def test_random_webs_with_a_slow_host(crawl: Crawler, web: Web, seed: int) -> None:
    try_web(crawl, web, seed)


@pytest.mark.parametrize("seed", range(100, 104))
def test_random_webs_with_a_slow_host_and_kills(crawl: Crawler, web: Web, seed: int) -> None:
    try_web(crawl, web, seed, kills=4)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(5000, 5100))
def test_many_random_webs_with_a_slow_host(crawl: Crawler, web: Web, seed: int) -> None:
    try_web(crawl, web, seed, kills=6 if seed % 3 == 0 else 0)
