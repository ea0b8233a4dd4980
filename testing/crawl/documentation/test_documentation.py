"""We ask for what wget2 and Scrapy ask for, and find broken what LinkChecker finds so; each difference has a reason.

And that a crawler which misses a page, or asks for what is no link, is told from one that has other rules.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from testing.crawl.crawling import program
from testing.crawl.documentation import reasons
from testing.crawl.documentation.broken_links import compare_broken
from testing.crawl.documentation.kept import CACHE, compared, crawled
from testing.crawl.documentation.nginx import Answer, key, uri
from testing.crawl.documentation.packages import NAMES, SEEN, SMALL, UNSEEN, entrances, unpacked
from testing.crawl.documentation.peers import Run
from testing.crawl.documentation.reasons import BACKSLASH, BEHIND_OURS, SLASHES, URLJOIN, Comparison, compare, sampled
from testing.servers.debian_programs import UnfitError


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("package", SMALL)
def test_the_pages_of_a_package_are_those_that_others_find(package: str) -> None:
    if not program().exists():
        pytest.skip("heddle-crawl is not built")
    try:
        ours = crawled(package, "ours", CACHE, again=True)
        found = {name: compared(package, name, CACHE, ours)[0] for name in ("wget2", "scrapy")}
        broken = crawled(package, "ours --check", CACHE, again=True)
        linkchecker = crawled(package, "linkchecker", CACHE)
    except UnfitError as error:
        pytest.skip(f"{package}: {error}")
    found["html5lib"] = sampled(unpacked(package, CACHE), ours)
    found["linkchecker"] = compare_broken(unpacked(package, CACHE), broken, linkchecker)
    assert {name: one.unexplained for name, one in found.items() if one.unexplained} == {}
    assert all(found[name].common_pages > 0 for name in ("wget2", "scrapy"))


def test_the_halves_are_drawn_by_name_and_work_is_done_on_the_first() -> None:
    assert sorted((*SEEN, *UNSEEN)) == list(NAMES) == sorted(set(NAMES))
    assert set(SMALL) <= set(SEEN)


def test_a_reader_begins_where_the_package_registers_html(tmp_path: Path) -> None:
    for name in ("b/index.html", "a/start.html"):
        (tmp_path / "usr/share/doc" / name).parent.mkdir(parents=True)
        (tmp_path / "usr/share/doc" / name).write_text("")
    assert entrances(tmp_path) == ["/usr/share/doc/b/index.html"]
    (tmp_path / "usr/share/doc-base").mkdir()
    text = (
        "Document: a\n\nFormat: PDF\nIndex: /usr/share/doc/a.pdf\n\nFormat: HTML\nIndex: /usr/share/doc/a/start.html\n"
    )
    (tmp_path / "usr/share/doc-base/a").write_text(text)
    assert entrances(tmp_path) == ["/usr/share/doc/a/start.html"]


@pytest.mark.parametrize("path", ["/a b", "/%C3%A4", "/a?b=%20", "/100%25", "/a%FF"])
def test_a_key_says_what_a_server_is_asked_for(path: str) -> None:
    assert key(uri(key(path))) == key(path)


# A site of two pages, in words of the referee, and who asked for what.
PAGE = """<!doctype html><meta http-equiv=refresh content='9;url=refreshed'><a href=a>a</a> <a href="b&#45;&#45;c">b</a>
<a href=no rel=nofollow>n</a> <link rel=help href=help><!-- <a href=comment>c</a> --><img src=picture>
<template><a href=inside>t</a></template><a href='semi;'>s</a><a href='http:port'>h</a>
<noscript><a href=x>x</a></noscript><a href="back\\slash">b</a>
<a href=two//slashes>t</a><a href="50%">p</a> <a href="colon#a:b">c</a>
1 << 2 <a href=shift>s</a> <?x> <a href=instruction>i</a>
<img alt=i / ><a href=behind>b</a>
"""


def judged(name: str, ours: set[str], peer: set[str], tmp_path: Path) -> Comparison:
    (tmp_path / "index.html").write_text(PAGE)

    def run(found: set[str]) -> Run:
        page = Answer(200, "text/html", "/")
        return Run({"/": Answer(200, "text/html")} | dict.fromkeys(found, page), 0.0, 0.0)

    return compare(tmp_path, name, run(ours), run(peer))


@pytest.mark.parametrize("missed", ["/a", "/b--c", "/x", "/semi;", "/port", "/refreshed"])
def test_a_link_that_we_miss_counts_against_us(missed: str, tmp_path: Path) -> None:
    assert judged("wget2", set(), {missed}, tmp_path).unexplained.keys() == {missed}


@pytest.mark.parametrize("beyond", ["/no", "/help", "/comment", "/picture", "/inside", "/nowhere"])
def test_what_we_ask_for_against_the_contract_counts_against_us(beyond: str, tmp_path: Path) -> None:
    assert judged("wget2", {beyond}, set(), tmp_path).unexplained.keys() == {beyond}


@pytest.mark.parametrize(
    ("name", "only_ours", "only_theirs", "reason"),
    [
        ("wget2", "", "/help", "wget2 follows <link rel=help href>"),
        ("wget2", "", "/picture", "wget2 follows <img src>"),
        ("wget2", "", "/no", "wget2 follows nofollow <a href>"),
        ("wget2", "", "/comment", "wget2 asks for what the HTML standard does not see as a link"),
        ("wget2", "/b--c", "", "wget2 does not decode the character references of a URL"),
        ("wget2", "/refreshed", "", "wget2 does not read <meta http-equiv=refresh>"),
        ("wget2", "/port", "", "wget2 takes http:PATH for a URL of another host; the URL standard for a relative one"),
        ("scrapy", "/semi;", "", URLJOIN),
        ("scrapy", "", "/semi", URLJOIN),
        ("scrapy", "/back/slash", "", BACKSLASH),
        ("wget2", "/two//slashes", "", SLASHES),
        ("wget2", "", "/two/slashes", SLASHES),
        (
            "wget2",
            "",
            "/50%",
            "the URL standard leaves a % alone that encodes nothing, and nginx answers 400; wget2 encodes it",
        ),
        ("scrapy", "", "/back\\slash", BACKSLASH),
        ("wget2", "/shift", "", "wget2 reads a tag where a < stands in the text"),
        ("wget2", "/instruction", "", "wget2 skips from <? to ?>, as in XML; the HTML standard to the next >"),
        (
            "wget2",
            "/colon",
            "",
            "wget2 takes what stands before any colon for a scheme, in a query or fragment too",
        ),
        ("wget2", "/behind", "", "wget2 reads a page no further than a tag that ends in '/ >'"),
    ],
)
def test_another_rule_is_a_reason(name: str, only_ours: str, only_theirs: str, reason: str, tmp_path: Path) -> None:
    found = judged(name, {only_ours} - {""}, {only_theirs} - {""}, tmp_path)
    assert found.reasons.keys() == {reason}
    assert found.unexplained == {}


def test_a_file_that_only_scrapy_asks_for_counts_against_us(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(PAGE)
    start = Answer(200, "text/html")
    theirs = Run({"/": start, "/a": Answer(200, "application/pdf", "/")}, 0.0, 0.0)
    assert compare(tmp_path, "scrapy", Run({"/": start}, 0.0, 0.0), theirs).unexplained.keys() == {"/a"}


def test_a_peer_that_misses_an_ordinary_link_is_no_reason(tmp_path: Path) -> None:
    assert judged("wget2", {"/a"}, set(), tmp_path).unexplained.keys() == {"/a"}


def test_a_link_behind_what_wget2_reads_of_a_page_is_a_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reasons, "WGET2_READS", PAGE.index("href=a>"))
    found = judged("wget2", {"/a"}, set(), tmp_path)
    assert found.reasons.keys() == {"wget2 looks for links in the first 10 MiB of a page"}


def test_a_picture_that_is_also_linked_counts_against_us(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<a href=p.png>see</a><img src=p.png>")
    start, gone = Answer(200, "text/html"), Answer(404, "text/html", "/")
    found = compare(tmp_path, "wget2", Run({"/": start}, 0.0, 0.0), Run({"/": start, "/p.png": gone}, 0.0, 0.0))
    assert found.unexplained.keys() == {"/p.png"}


def test_what_lies_behind_a_page_that_the_peer_has_not_is_set_apart(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(PAGE)
    start, refreshed = Answer(200, "text/html"), Answer(200, "text/html", "/")
    behind = Answer(200, "text/html", "/refreshed")
    ours = Run({"/": start, "/refreshed": refreshed, "/deep": behind}, 0.0, 0.0)
    found = compare(tmp_path, "wget2", ours, Run({"/": start}, 0.0, 0.0))
    assert found.reasons[BEHIND_OURS] == ["/deep"]
    assert found.hidden
    assert found.hiding == ["/refreshed"]


def test_a_picture_that_only_linkchecker_finds_broken_counts_against_us(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(PAGE)
    start, gone = Answer(200, "text/html"), Answer(404, "text/html", "/")
    theirs = Run({"/": start, "/picture": gone}, 0.0, 0.0)
    assert compare_broken(tmp_path, Run({"/": start}, 0.0, 0.0), theirs).unexplained.keys() == {"/picture"}


def test_a_link_of_a_sampled_page_that_we_do_not_ask_for_counts_against_us(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(PAGE)
    asked = dict.fromkeys(
        (
            "/",
            "/a",
            "/b--c",
            "/x",
            "/semi;",
            "/port",
            "/back/slash",
            "/behind",
            "/colon",
            "/instruction",
            "/two//slashes",
            "/50%",
            "/shift",
        ),
        Answer(200, "application/pdf"),
    )
    asked["/"] = Answer(200, "text/html")
    assert sampled(tmp_path, Run(asked, 0.0, 0.0)).unexplained.keys() == {"/refreshed"}
