"""--check: every link of pages in scope is looked at; broken ones are printed with their pages, and are exit code 1."""

from __future__ import annotations

import pytest

from testing.crawl.crawling import Crawler
from testing.crawl.web import hostile as bad
from testing.crawl.web.answer import CODINGS, Answer, gone, redirect, text
from testing.crawl.web.markup import NOFOLLOW
from testing.crawl.web.pages import Link, Page, page
from testing.crawl.web.server import ByMethod, Site, Web, hostile


def test_nothing_broken_is_code_0(crawl: Crawler, web: Web, site: Site) -> None:
    other = web.site()
    other.put("/x", text("there"))
    site.put("/", page("/a", other.url("/x")))
    site.put("/a", page("/"))
    done = crawl("--check", "--private", site.url(), code=0)
    assert done.urls == {site.url(), site.url("/a"), other.url("/x")}


def test_a_broken_page_is_code_1(crawl: Crawler, site: Site) -> None:
    site.put("/", page("/missing"))
    assert site.url("/missing") in crawl("--check", site.url(), code=1).out


def test_a_broken_given_url_is_code_1(crawl: Crawler, site: Site) -> None:
    assert site.url("/missing") in crawl("--check", site.url("/missing"), code=1).out


def test_each_broken_url_is_printed_and_then_its_pages(crawl: Crawler, site: Site) -> None:
    site.put("/", page("/a", "/b", "/gone-1"))
    site.put("/a", page("/gone-1", "/gone-2"))
    site.put("/b", page("/a", "/gone-1"))
    out = crawl("--check", site.url(), code=1).out
    pages_of: dict[str, set[str]] = {}
    broken = ""
    for line in out.splitlines():
        words = [word.strip(".,:;()[]") for word in line.split() if site.origin in word]
        for word in words:
            if "/gone-" in word:
                broken = word
            elif broken:
                pages_of.setdefault(broken, set()).add(word)
    assert pages_of == {
        site.url("/gone-1"): {site.url("/"), site.url("/a"), site.url("/b")},
        site.url("/gone-2"): {site.url("/a")},
    }


def test_urls_of_other_hosts_are_looked_at_with_head_and_not_followed(crawl: Crawler, web: Web, site: Site) -> None:
    other = web.site()
    other.put("/x", page("/y"))
    site.put("/", page(other.url("/x"), other.url("/gone")))
    done = crawl("--check", "--private", "--rate", "0", site.url(), code=1)
    assert done.urls == {site.url(), other.url("/x"), other.url("/gone")}
    assert {one.method for one in web.log.pages() if one.host == other.origin} == {"HEAD"}
    assert done.record(other.url("/gone"))["status"] == 404


def test_pages_in_scope_are_read_and_followed(crawl: Crawler, web: Web, site: Site) -> None:
    site.put("/", page("/a"))
    site.put("/a", page("/b"))
    site.put("/b", page("/missing"))
    done = crawl("--check", site.url(), code=1)
    assert done.record(site.url("/missing"))["status"] == 404
    assert "GET" in {one.method for one in web.log.of(site.url("/b"))}


def test_resources_are_looked_at(crawl: Crawler, site: Site) -> None:
    site.put("/", Answer(b"<img src=/gone.png><link rel=stylesheet href=/there.css><script src=/gone.js></script>"))
    site.put("/there.css", text("p {}", "text/css"))
    done = crawl("--check", site.url(), code=1)
    assert site.url("/gone.png") in done.out
    assert site.url("/gone.js") in done.out
    assert site.url("/there.css") not in done.out
    assert done.record(site.url("/there.css"))["status"] == 200


def test_nofollow_links_are_looked_at(crawl: Crawler, site: Site) -> None:
    site.put("/", Page((Link("", "/gone", NOFOLLOW[0]),)).answer())
    assert site.url("/gone") in crawl("--check", site.url(), code=1).out


def test_links_of_a_page_with_meta_robots_nofollow_are_looked_at(crawl: Crawler, site: Site) -> None:
    site.put("/", Page((Link("", "/gone"),), robots="nofollow").answer())
    assert site.url("/gone") in crawl("--check", site.url(), code=1).out


@pytest.mark.parametrize("status", [405, 501])
def test_head_that_is_refused_is_followed_by_get(crawl: Crawler, web: Web, site: Site, status: int) -> None:
    other = web.site()
    other.put("/x", ByMethod(gone(status), text("there")))
    site.put("/", page(other.url("/x")))
    done = crawl("--check", "--private", "--rate", "0", site.url(), code=0)
    assert [one.method for one in web.log.of(other.url("/x"))] == ["HEAD", "GET"]
    assert (done.record(other.url("/x"))["status"], done.record(other.url("/x"))["error"]) == (200, None)


def test_get_after_a_refused_head_may_fail(crawl: Crawler, web: Web, site: Site) -> None:
    other = web.site()
    other.put("/x", ByMethod(gone(405), gone(410)))
    site.put("/", page(other.url("/x")))
    done = crawl("--check", "--private", "--rate", "0", site.url(), code=1)
    assert done.record(other.url("/x"))["status"] == 410


def test_head_that_fails_otherwise_is_not_followed_by_get(crawl: Crawler, web: Web, site: Site) -> None:
    other = web.site()
    other.put("/x", ByMethod(gone(404), text("there")))
    site.put("/", page(other.url("/x")))
    crawl("--check", "--private", "--rate", "0", site.url(), code=1)
    assert [one.method for one in web.log.of(other.url("/x"))] == ["HEAD"]


def test_a_head_with_a_length_has_no_body(crawl: Crawler, web: Web, site: Site) -> None:
    other = web.site()
    for number in range(5):
        other.put(f"/{number}", text("a body that HEAD does not send"))
    site.put("/", page(*(other.url(f"/{number}") for number in range(5))))
    done = crawl("--check", "--private", "--rate", "0", "--timeout", "3", site.url(), code=0)
    assert {record["status"] for record in done.records} == {200}


def test_a_head_with_a_coding_has_nothing_to_decode(crawl: Crawler, web: Web, site: Site) -> None:
    other = web.site()
    for number, coding in enumerate(CODINGS):
        other.put(f"/{number}", Answer(b"words " * 100, coding=coding, framing="chunked" if number % 2 else "length"))
    site.put("/", page(*(other.url(f"/{number}") for number in range(len(CODINGS)))))
    done = crawl("--check", "--private", "--rate", "0", "--timeout", "3", site.url(), code=0)
    assert {(record["status"], record["error"]) for record in done.records} == {(200, None)}


BROKEN = {
    "a reset": hostile(bad.reset_before_the_head),
    "no HTTP": hostile(bad.BROKEN["no HTTP at all"]),
    "a server error": gone(500),
    "a loop": redirect("/bad"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_errors_are_broken_links(crawl: Crawler, site: Site, what: str) -> None:
    site.put("/", page("/bad"))
    site.put("/bad", BROKEN[what])
    assert site.url("/bad") in crawl("--check", site.url(), code=1).out


def test_a_host_that_is_not_there_is_a_broken_link(crawl: Crawler, web: Web, site: Site) -> None:
    closed = web.closed()
    site.put("/", page(closed))
    done = crawl("--check", "--private", site.url(), code=1)
    assert closed in done.out
    assert done.record(closed)["error"] == "connect"


def test_redirects_are_no_broken_links(crawl: Crawler, site: Site) -> None:
    site.put("/", page("/moved"))
    site.put("/moved", redirect("/a"))
    site.put("/a", text("there"))
    done = crawl("--check", site.url(), code=0)
    assert done.urls == {site.url(), site.url("/moved"), site.url("/a")}


def test_robots_of_other_hosts_are_asked_first(crawl: Crawler, web: Web, site: Site) -> None:
    other = web.site()
    other.put("/x", text("there"))
    site.put("/", page(other.url("/x")))
    crawl("--check", "--private", "--rate", "0", site.url(), code=0)
    assert [one.url for one in web.log.by_host()[other.origin]] == [other.url("/robots.txt"), other.url("/x")]


def test_each_link_is_looked_at_once(crawl: Crawler, web: Web, site: Site) -> None:
    other = web.site()
    other.put("/x", text("there"))
    for number in range(10):
        site.put(f"/{number}", page(f"/{number + 1}", other.url("/x"), other.url("/x#y")))
    site.put("/10", page())
    crawl("--check", "--private", "--rate", "0", site.url("/0"), code=0)
    assert web.log.counts()[other.url("/x")] == 1


def test_what_is_left_out_is_not_looked_at(crawl: Crawler, web: Web, site: Site) -> None:
    other = web.site()
    site.put("/", page("/admin/x", "/a", "/moved", other.url("/elsewhere")))
    site.put("/moved", redirect(other.url("/behind")))
    site.put("/a", page("/admin/y"))
    expected = {site.url(), site.url("/a"), site.url("/moved")}
    assert crawl("--check", "--private", "--exclude", f"/admin/|^{other.origin}/", site.url(), code=0).urls == expected
    crawl.results.unlink()
    only = ("--include", f"^{site.origin}/", "--exclude", "/admin/")
    assert crawl("--check", "--private", *only, site.url(), code=0).urls == expected
