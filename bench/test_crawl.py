"""bench crawl on sites of a few pages: every crawler that is here fetches all of them, and every figure is there."""

from __future__ import annotations

import urllib.error
import urllib.request
from pathlib import Path

import pytest

from bench import _crawlers, crawl, servers
from bench.crawl import Crawls, Effort, Site
from heddle.errors import BadInputError
from heddle.measure.benchmark import Tools
from heddle.measure.serving import serving

SITE = Site(2_000, 10, 300)
TINY = Effort(
    rounds=1, peer_rounds=1, sites=(SITE,), peer_pages=20, slow=20, many=50, growth=(30, 60, 90), growth_rounds=1
)


def ask(port: int, path: str) -> bytes:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as answer:
        return bytes(answer.read())


def test_the_site_leads_from_its_first_page_to_all_others_and_counts_what_it_sends(tmp_path: Path) -> None:
    with serving([servers.site(tmp_path), "2000", "10", "40"]) as server:
        known, todo = {"/p/00000000.html"}, ["/p/00000000.html"]
        while todo:
            page = ask(server.port, todo.pop()).decode()
            assert abs(len(page) - 2_000) < 200
            links = {part.partition('"')[0] for part in page.split('<a class="name" href="')[1:]}
            todo += links - known
            known |= links
        assert known == {f"/p/{number:08}.html" for number in range(40)}
        assert int(ask(server.port, "/count")) == 40
        with pytest.raises(urllib.error.HTTPError, match="404"):
            ask(server.port, "/p/00000040.html")


def test_a_crawler_that_leaves_pages_out_gives_no_figures(tmp_path: Path) -> None:
    crawls = Crawls(Tools(tmp_path))
    idle = _crawlers.Crawler("idle", lambda _task: ["true"], writes=False)
    with pytest.raises(BadInputError, match="idle fetched 0 of 300 pages"):
        crawls.measure(idle, SITE)


def test_ours_and_the_raw_limit_are_compared(tmp_path: Path) -> None:
    crawls = Crawls(Tools(tmp_path))
    lines = crawls.against_raw(TINY)
    assert [claim.id for claim in crawls.claims] == ["crawl.vs_raw"]
    assert "with all files" in lines[0]
    assert set(crawls.runs["2,000 bytes"]) == {
        "raw",
        "heddle, no files",
        "heddle, records",
        "heddle, all files",
    }
    assert list((tmp_path / "files").glob("*")) == []


def test_connections_and_growth_have_figures(tmp_path: Path) -> None:
    crawls = Crawls(Tools(tmp_path))
    assert "50 connections" in crawls.many_connections(TINY)[0]
    assert len(crawls.growth(TINY)) == len(TINY.growth)
    assert [claim.id for claim in crawls.claims] == ["crawl.growth"]


def test_a_peer_that_is_not_here_is_named_with_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    found, missing = _crawlers.peers(tmp_path)
    assert found == []
    assert [line.partition(" ")[0] for line in missing] == list(_crawlers.HOW_TO_INSTALL)
    assert all(how in line for how, line in zip(_crawlers.HOW_TO_INSTALL.values(), missing, strict=True))


def test_the_claims_are_those_of_the_benchmark() -> None:
    assert set(crawl.CLAIMS) == {"crawl.vs_raw", "crawl.vs_colly", "crawl.vs_wget2", "crawl.growth"}
