"""Whole webs from seeds, crawled with random options: what comes out is what the reference crawler says."""

from __future__ import annotations

import random

import pytest

from testing.crawl import reference
from testing.crawl.crawling import Crawler, Record
from testing.crawl.killing import asked_again, killed_again_and_again
from testing.crawl.reference import Options, compare
from testing.crawl.web.log import most_at_once
from testing.crawl.web.random_web import RandomWeb
from testing.crawl.web.server import Web


def chosen_options(chance: random.Random, check: bool) -> Options:
    if check:
        patterns = (None, None, "[?]x=1", "/a|/p[0-9]*[02468]")
        return Options(check=True, private=True, exclude=chance.choice(patterns))
    return Options(
        max_depth=chance.choice((None, 0, 1, 2, 3, 5)),
        span_hosts=chance.random() < 0.5,
        resources=chance.random() < 0.5,
        private=chance.random() < 0.7,
        no_robots=chance.random() < 0.2,
        include=chance.choice((None, None, None, "/a|/p[0-9]*[02468]")),
        exclude=chance.choice((None, None, None, "[?]x=1")),
    )


def differences(made: RandomWeb, options: Options, given: list[str], records: dict[str, Record]) -> list[str]:
    """What is otherwise, where the contract says how it is to be."""
    strict, loose = (reference.crawl(made.world, options, given, loose=loose) for loose in (False, True))
    for url, one in strict.items():
        one.referrers |= loose[url].referrers
    # Less deep, or not to be left out, only because of what is left open.
    sure = {url: one for url, one in strict.items() if loose[url].depth == one.depth}
    said = compare(sure, {url: record for url, record in records.items() if url in sure})
    if options.check:
        # It is not said how deep a page is that is reached over a link not to be followed.
        said = [line for line in said if ": depth is " not in line]
    return said + [f"not expected: {url}" for url in records if url not in loose]


CONNECTIONS = 6


def try_web(crawl: Crawler, web: Web, seed: int, check: bool, kills: int = 0) -> None:
    chance = random.Random(seed)
    made = RandomWeb(web, seed, pages=25)
    options = chosen_options(chance, check)
    # With --check all hosts are given: whether redirects of others are followed is not said.
    given = [site.url() for site in made.sites] if check else [made.first]
    rate = chance.choice(("0", "1000"))
    words = [*options.words(), "--rate", rate, "--workers", chance.choice(("1", "2")), *given]
    if kills:
        words += ["--state", str(crawl.folder / "state"), "--connections", str(CONNECTIONS)]
    asked = killed_again_and_again(crawl, web, words, seed, kills, codes=(0, 1) if check else (0,))
    found = crawl.read()
    records = {record["url"]: record for record in found}
    assert len(records) == len(found), "a URL has two records"
    said = differences(made, options, given, records)
    said += [f"asked for and not recorded: {url}" for url in set(web.log.urls()) - set(records) if "map.xml" not in url]
    assert said == [], f"seed {seed}, {words}:\n" + "\n".join(said)
    assert asked_again([{url for url in run if "map.xml" not in url} for run in asked]) <= CONNECTIONS
    if rate != "0":
        assert all(most_at_once(exchanges) == 1 for exchanges in web.log.by_host().values())


@pytest.mark.parametrize("seed", range(16))
def test_a_crawl_finds_what_there_is(crawl: Crawler, web: Web, seed: int) -> None:
    try_web(crawl, web, seed, check=False)


@pytest.mark.parametrize("seed", range(1000, 1004))
def test_a_check_looks_at_what_there_is(crawl: Crawler, web: Web, seed: int) -> None:
    try_web(crawl, web, seed, check=True)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(2000, 2200))
def test_many_webs(crawl: Crawler, web: Web, seed: int) -> None:
    try_web(crawl, web, seed, check=seed % 5 == 0)


@pytest.mark.parametrize("seed", range(3000, 3006))
def test_a_crawl_that_is_killed_finds_the_same(crawl: Crawler, web: Web, seed: int) -> None:
    try_web(crawl, web, seed, check=seed % 3 == 0, kills=5)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(4000, 4100))
def test_many_crawls_that_are_killed(crawl: Crawler, web: Web, seed: int) -> None:
    try_web(crawl, web, seed, check=seed % 4 == 0, kills=12)
