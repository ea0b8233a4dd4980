"""--state: after kill -9 at any point a crawl goes on, nothing is lost, and each URL is in the results exactly once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from testing.crawl.crawling import PATIENCE_S, Crawler
from testing.crawl.killing import asked_again, killed_again_and_again, requests, wait_for
from testing.crawl.web.answer import redirect
from testing.crawl.web.pages import page
from testing.crawl.web.server import Site, Web

CONNECTIONS = 8


def tree(sites: list[Site], pages: int, delay_s: float) -> dict[str, int]:
    """Pages that link two more each, on the next site, and some redirects; the depth of each."""
    depths: dict[str, int] = {}
    for number in range(pages):
        site = sites[number % len(sites)]
        children = [child for child in (2 * number + 1, 2 * number + 2) if child < pages]
        links = [sites[child % len(sites)].url(f"/{child}") for child in children]
        url = site.url(f"/{number}")
        depths.setdefault(url, 0)
        depths |= dict.fromkeys(links, depths[url] + 1)
        if number % 10 == 9:
            site.put(f"/{number}", replace(redirect(f"/{number}/there"), delay_s=delay_s))
            depths[site.url(f"/{number}/there")] = depths[url]
            site.put(f"/{number}/there", replace(page(*links), delay_s=delay_s))
        else:
            site.put(f"/{number}", replace(page(*links), delay_s=delay_s))
    return depths


@pytest.mark.parametrize("seed", range(6))
def test_nothing_is_lost_and_each_url_is_there_once(crawl: Crawler, web: Web, tmp_path: Path, seed: int) -> None:
    sites = [web.site() for _ in range(4)]
    depths = tree(sites, 160, delay_s=0.01)
    rate = ("--rate", "0") if seed % 2 else ()
    words = [*rate, "--connections", str(CONNECTIONS), "--state", str(tmp_path / "state")]
    words += [site.url(f"/{number}") for number, site in enumerate(sites)][:1]
    words += ["--span-hosts", "--private"] if seed < 3 else [site.url("/no") for site in sites[1:]]
    if not rate:
        words += ["--rate", "1000"]
    asked = killed_again_and_again(crawl, web, words, seed, most=8)
    records = crawl.read()
    urls = [record["url"] for record in records]
    assert len(urls) == len(set(urls)), "a URL is there twice"
    given = {site.url("/no") for site in sites[1:]} if seed >= 3 else set()
    assert set(urls) == set(depths) | given
    assert {record["url"]: record["depth"] for record in records if record["url"] in depths} == depths
    assert {record["error"] for record in records} == {None}
    assert asked_again(asked) <= CONNECTIONS


def test_a_crawl_that_is_done_asks_for_nothing_again(crawl: Crawler, web: Web, site: Site, tmp_path: Path) -> None:
    depths = tree([site], 20, delay_s=0)
    words = ["--state", str(tmp_path / "state"), site.url("/0")]
    assert crawl(*words).urls == set(depths)
    before = requests(web)
    assert crawl(*words).urls == set(depths)
    assert requests(web) == before


def test_what_was_found_before_the_kill_is_in_the_file(crawl: Crawler, web: Web, site: Site, tmp_path: Path) -> None:
    tree([site], 100, delay_s=0.01)
    running = crawl.start("--state", str(tmp_path / "state"), site.url("/0"))
    assert wait_for(web, 40, running)
    crawl.kill(running)
    lines = crawl.results.read_text().splitlines()
    # One at a time: at most the page in flight, and the one that was just answered.
    assert len(lines) >= 37


def test_a_record_that_was_cut_off_is_not_in_the_way(crawl: Crawler, web: Web, site: Site, tmp_path: Path) -> None:
    depths = tree([site], 60, delay_s=0.01)
    words = ["--state", str(tmp_path / "state"), site.url("/0")]
    running = crawl.start(*words)
    assert wait_for(web, 20, running)
    crawl.kill(running)
    with crawl.results.open("a") as results:
        results.write('{"url": "' + site.url("/5"))
    assert crawl(*words).urls == set(depths)


def test_an_interrupted_crawl_is_resumed(crawl: Crawler, web: Web, site: Site, tmp_path: Path) -> None:
    depths = tree([site], 80, delay_s=0.01)
    words = ["--state", str(tmp_path / "state"), site.url("/0")]
    running = crawl.start(*words)
    assert wait_for(web, 25, running)
    running.send_signal(2)
    running.communicate(timeout=PATIENCE_S)
    assert running.returncode == 130
    assert crawl(*words).urls == set(depths)
    assert sum(count - 1 for count in web.log.counts().values()) <= 1


def test_a_crawl_that_max_time_ended_is_resumed(crawl: Crawler, site: Site, tmp_path: Path) -> None:
    depths = tree([site], 150, delay_s=0.02)
    words = ["--state", str(tmp_path / "state"), site.url("/0")]
    first = crawl("--max-time", "1", *words)
    assert 0 < len(first.records) < len(depths)
    assert crawl(*words).urls == set(depths)


def test_another_state_begins_anew(crawl: Crawler, web: Web, site: Site, tmp_path: Path) -> None:
    depths = tree([site], 10, delay_s=0)
    for name in ("one", "two"):
        crawl.results = tmp_path / f"{name}.jsonl"
        assert crawl("--state", str(tmp_path / name), site.url("/0")).urls == set(depths)
    assert set(web.log.counts().values()) == {2}


@pytest.mark.parametrize(
    ("seed", "name"), [(0, "site.warc.gz"), (1, "site.warc.gz"), (2, "site.warc"), (3, "site.warc")]
)
def test_a_warc_file_is_whole_after_kills(crawl: Crawler, web: Web, tmp_path: Path, seed: int, name: str) -> None:
    sites = [web.site() for _ in range(3)]
    tree(sites, 120, delay_s=0.005)
    for site in sites:
        for number in range(100, 120):
            if f"/{number}" in site.resources:
                site.put(f"/{number}", page("/0", "/same", padding=3000))
    warc = tmp_path / name
    words = ["--warc", str(warc), "--state", str(tmp_path / "state"), "--rate", "0", "--span-hosts", "--private"]
    killed_again_and_again(crawl, web, [*words, sites[0].url("/0")], seed, most=6)
    found: dict[str, str] = {}
    stored, referred = set(), set()
    with warc.open("rb") as stream:
        for record in ArchiveIterator(stream, check_digests="raise"):
            url = record.rec_headers.get_header("WARC-Target-URI")
            if record.rec_type in ("response", "revisit"):
                found[url] = record.rec_type
                record.content_stream().read()
            if record.rec_type == "response":
                stored.add((url, record.rec_headers.get_header("WARC-Payload-Digest")))
            if record.rec_type == "revisit":
                headers = record.rec_headers
                referred.add(
                    (headers.get_header("WARC-Refers-To-Target-URI"), headers.get_header("WARC-Payload-Digest"))
                )
    recorded = {record["url"] for record in crawl.read()}
    assert len(recorded) > 110
    assert recorded <= found.keys()
    assert "revisit" in found.values()
    assert referred <= stored, "a revisit refers to what is not there"


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(100, 140))
def test_many_kills(crawl: Crawler, web: Web, tmp_path: Path, seed: int) -> None:
    sites = [web.site() for _ in range(3)]
    depths = tree(sites, 400, delay_s=0.005)
    words = ["--rate", "0", "--connections", str(CONNECTIONS), "--state", str(tmp_path / "state"), "--span-hosts"]
    killed_again_and_again(crawl, web, [*words, "--private", sites[0].url("/0")], seed, most=25)
    records = crawl.read()
    assert len(records) == len({record["url"] for record in records})
    assert {record["url"]: record["depth"] for record in records} == depths
