"""Which links are followed, however they are written, and which are none."""

from __future__ import annotations

import pytest

from testing.crawl.crawling import Crawl, Crawler
from testing.crawl.web import markup
from testing.crawl.web.answer import Answer, text
from testing.crawl.web.markup import Way
from testing.crawl.web.pages import Link, Page, page
from testing.crawl.web.server import Site


def by_name(way: Way) -> str:
    return way.name


def links_of(crawl: Crawler, site: Site, way: Way, *options: str, xhtml: bool = False) -> Crawl:
    """A page with this link to /target, and a plain one to /seen behind it, unless nothing behind it is read."""
    links = (Link("", "/target", way), Link("", "/seen"))
    site.put("/", Page(links, xhtml=xhtml).answer())
    site.put("/target", text("target"))
    done = crawl(*options, site.url())
    assert site.url("/seen") in done.urls, "the link behind it was not seen"
    return done


def found(crawl: Crawler, site: Site, way: Way, *options: str, xhtml: bool = False) -> bool:
    return site.url("/target") in links_of(crawl, site, way, *options, xhtml=xhtml).urls


@pytest.mark.parametrize("way", markup.PAGES, ids=by_name)
def test_followed(crawl: Crawler, site: Site, way: Way) -> None:
    done = links_of(crawl, site, way)
    assert done.urls == {site.url(path) for path in ("/", "/target", "/seen")}


@pytest.mark.parametrize("way", [way for way in markup.PAGES if way.xhtml], ids=by_name)
def test_followed_in_xhtml(crawl: Crawler, site: Site, way: Way) -> None:
    assert found(crawl, site, way, xhtml=True)


@pytest.mark.parametrize("way", [*markup.NONE, *markup.NOFOLLOW], ids=by_name)
def test_not_followed(crawl: Crawler, site: Site, way: Way) -> None:
    assert not found(crawl, site, way)


@pytest.mark.parametrize("way", markup.NONE, ids=by_name)
def test_not_even_a_resource(crawl: Crawler, site: Site, way: Way) -> None:
    assert not found(crawl, site, way, "--resources")


@pytest.mark.parametrize("way", [way for way in (*markup.NONE, *markup.NOFOLLOW) if way.xhtml], ids=by_name)
def test_not_followed_in_xhtml(crawl: Crawler, site: Site, way: Way) -> None:
    assert not found(crawl, site, way, xhtml=True)


@pytest.mark.parametrize("way", markup.RESOURCES, ids=by_name)
def test_fetched_as_a_resource_only_if_asked_for(crawl: Crawler, site: Site, way: Way) -> None:
    assert found(crawl, site, way, "--resources")
    crawl.results.unlink()
    assert not found(crawl, site, way)


PREFIXED = (
    '<h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:body><h:a href="/seen"/>'
    '<a href="/of-no-namespace-is-taken-for-one"/><x:a xmlns:x="urn:x" href="/target"/></h:body></h:html>'
)


def test_xhtml_with_a_prefix_is_read(crawl: Crawler, site: Site) -> None:
    site.put("/", Answer(PREFIXED.encode(), "application/xhtml+xml"))
    assert crawl(site.url()).urls == {site.url(path) for path in ("/", "/seen", "/of-no-namespace-is-taken-for-one")}


def test_elements_of_other_namespaces_are_no_links(crawl: Crawler, site: Site) -> None:
    links = (Link("", "/target", Way("", "none", '<x xmlns="urn:x"><a href="{}"/></x>', xhtml=True)), Link("", "/seen"))
    site.put("/", Page(links, xhtml=True).answer())
    assert crawl(site.url()).urls == {site.url("/"), site.url("/seen")}


def test_cdata_holds_no_links_in_xhtml(crawl: Crawler, site: Site) -> None:
    assert not found(crawl, site, markup.CDATA, xhtml=True)


def test_cdata_is_a_bogus_comment_in_html(crawl: Crawler, site: Site) -> None:
    assert found(crawl, site, markup.CDATA_IN_HTML)


def test_all_ways_on_one_page(crawl: Crawler, site: Site) -> None:
    ways = [*markup.PAGES, *markup.NOFOLLOW, *markup.RESOURCES, *markup.NONE]
    # Of several the first refreshes the page (HTML standard, "shared declarative refresh steps").
    ways = [way for way in ways if way.name not in ("meta refresh in quotes", "meta refresh with a comma")]
    # Of several meta refresh elements the HTML standard takes the first.
    pages = [way for way in markup.PAGES if way.name == "meta refresh" or not way.refreshes]
    ways = [*pages, *markup.NOFOLLOW, *markup.RESOURCES, *markup.NONE]
    links = tuple(Link(f"/{way.kind}{number}", f"/{way.kind}{number}", way) for number, way in enumerate(ways))
    site.put("/", Page(links).answer())
    followed = {site.url(), *(site.url(link.target) for link in links if link.kind == "page")}
    assert crawl(site.url()).urls == followed
    crawl.results.unlink()
    resources = {site.url(link.target) for link in links if link.kind == "resource"}
    assert crawl("--resources", site.url()).urls == followed | resources


@pytest.mark.parametrize("content", ["nofollow", "noindex, NoFollow", "NOFOLLOW,noarchive", " noindex , nofollow "])
def test_meta_robots_nofollow_keeps_all_links_of_the_page(crawl: Crawler, site: Site, content: str) -> None:
    site.put("/", Page((Link("", "/a"),), robots=content).answer())
    assert crawl(site.url()).urls == {site.url()}


def test_meta_robots_none_is_nofollow_too(crawl: Crawler, site: Site) -> None:
    site.put("/", Page((Link("", "/a"),), robots="none").answer())
    assert crawl(site.url()).urls == {site.url()}


@pytest.mark.parametrize("content", ["noindex", "follow", "nofollowing", "index, follow"])
def test_other_meta_robots_do_not(crawl: Crawler, site: Site, content: str) -> None:
    site.put("/", Page((Link("", "/a"),), robots=content).answer())
    assert crawl(site.url()).urls == {site.url(), site.url("/a")}


def test_a_link_that_is_also_followable_elsewhere_is_followed(crawl: Crawler, site: Site) -> None:
    nofollow = markup.NOFOLLOW[0]
    site.put("/", Page((Link("", "/a", nofollow), Link("", "/a"))).answer())
    assert site.url("/a") in crawl(site.url()).urls


# By the steps of the HTML standard, section "Refresh state"; None: no link.
REFRESHES = {
    "0;url=/t": "/t",
    "0;/t": "/t",
    "0 /t": "/t",
    "0/t": None,
    "0url=/t": None,
    ".5;/t": "/t",
    "1.5.7;/t": "/t",
    "0;url /t": "/url%20/t",
    "0;urlx": "/urlx",
    "0;url='/t'x": "/t",
    "0;'/t'x": "/t",
    "0;url=&quot;/t": "/t",
    " 0 ,\tURL\n=\f/t ": "/t",
    "0": None,
    "0;": None,
    "0;url=": None,
    ";/t": None,
    "-1;/t": None,
    "+1;/t": None,
    "x;/t": None,
    "0;;/t": "/;/t",
    "0;u/t": "/u/t",
    "0;ur='t": "/ur='t",
    "0;url=url=/t": "/url=/t",
    "0;url=/t;x": "/t;x",
    "99999999999999999999;/t": "/t",
}


@pytest.mark.parametrize("content", REFRESHES)
def test_meta_refresh_is_read_as_the_standard_says(crawl: Crawler, site: Site, content: str) -> None:
    site.put("/", Answer(f'<meta http-equiv=refresh content="{content}">'.encode()))
    path = REFRESHES[content]
    assert crawl(site.url()).urls == {site.url()} | ({site.url(path)} if path else set())


BASES = {
    "a path": ('<base href="/x/y">', "z", "/x/z"),
    "a relative path": ('<base href="x/">', "z", "/dir/x/z"),
    "the first one counts": ('<base href="/x/"><base href="/y/">', "z", "/x/z"),
    "one with target only does not count": ('<base target="_blank"><base href="/y/">', "z", "/y/z"),
    "one in a comment does not count": ('<!-- <base href="/x/"> --><base href="/y/">', "z", "/y/z"),
    "an empty one changes nothing": ('<base href="">', "z", "/dir/z"),
    "one that is no URL changes nothing": ('<base href="http://[">', "z", "/dir/z"),
    "one with data: changes nothing": ('<base href="data:text/plain,x">', "z", "/dir/z"),
    "one with javascript: changes nothing": ('<base href="javascript:1">', "z", "/dir/z"),
    "one with entities": ('<base href="&#x2f;x&sol;">', "z", "/x/z"),
}


@pytest.mark.parametrize("what", BASES)
def test_links_are_relative_to_base(crawl: Crawler, site: Site, what: str) -> None:
    base, reference, path = BASES[what]
    site.put("/dir/", Answer(f"<head>{base}</head><a href='{reference}'>x</a>".encode()))
    assert crawl(site.url("/dir/")).urls == {site.url("/dir/"), site.url(path)}


def test_base_holds_for_links_before_it(crawl: Crawler, site: Site) -> None:
    site.put("/", Answer(b'<a href="z">x</a><base href="/x/">'))
    assert crawl(site.url()).urls == {site.url(), site.url("/x/z")}


def test_base_may_name_another_host(crawl: Crawler, site: Site) -> None:
    site.put("/", Answer(f'<base href="http://127.0.0.9/"><a href="/z">x</a><a href="{site.url("/y")}">'.encode()))
    assert crawl(site.url()).urls == {site.url(), site.url("/y")}


def test_meta_refresh_and_resources_are_relative_to_base(crawl: Crawler, site: Site) -> None:
    site.put("/", Answer(b'<base href="/x/"><meta http-equiv=refresh content="1;url=y"><img src=z>'))
    assert crawl("--resources", site.url()).urls == {site.url(), site.url("/x/y"), site.url("/x/z")}


TYPES = {"text/html": True, "TEXT/HTML;charset=utf-8": True, "application/xhtml+xml": True, "text/plain": False}
TYPES |= {"application/xml": False, "text/htmlx": False, "application/json": False, "image/svg+xml": False}


@pytest.mark.parametrize("media_type", TYPES)
def test_only_html_and_xhtml_are_read_for_links(crawl: Crawler, site: Site, media_type: str) -> None:
    site.put("/", Answer(b'<html><a href="/a">x</a></html>', media_type))
    assert (site.url("/a") in crawl(site.url()).urls) == TYPES[media_type]


def test_a_document_without_a_type_is_not_read(crawl: Crawler, site: Site) -> None:
    site.put("/", Answer(b"<html><a href=/a>x</a>", None))
    assert crawl(site.url()).urls == {site.url()}


def test_links_of_error_pages_do_not_break_the_crawl(crawl: Crawler, site: Site) -> None:
    site.put("/", page("/missing"))
    site.put("/missing", Answer(b"<a href='/a'>x", status=404))
    assert crawl(site.url()).record(site.url("/missing"))["status"] == 404


STYLE = b"""
/* url(/no-1) */ @import "/css-1"; @import url(/css-2) screen; @import URL( '/css-3' );
p { background: url(/css-4); content: "url(/no-2)" }
q { background: url( "/css-5" ), url('/css-6') } @font-face { src: url(/css-7) format("x") }
"""


def test_style_sheets_are_read_for_resources(crawl: Crawler, site: Site) -> None:
    site.put("/", Answer(b"<link rel=stylesheet href=/style/main.css>"))
    site.put("/style/main.css", Answer(STYLE, "text/css"))
    expected = {site.url(path) for path in ("/", "/style/main.css", *(f"/css-{number}" for number in range(1, 8)))}
    assert crawl("--resources", site.url()).urls == expected


def test_references_in_a_style_sheet_are_relative_to_it(crawl: Crawler, site: Site) -> None:
    site.put("/", Answer(b"<base href=/other/><link rel=stylesheet href=/style/main.css>"))
    site.put("/style/main.css", Answer(b"p { background: url(a.png) }", "text/css"))
    assert site.url("/style/a.png") in crawl("--resources", site.url()).urls


def test_srcset_has_several_candidates(crawl: Crawler, site: Site) -> None:
    srcset = "/a.png, /b.png 2x , /c,d.png 100w,/e.png,\n/f.png 1.5x,,"
    site.put("/", Answer(f'<img srcset="{srcset}">'.encode()))
    found_paths = {url.removeprefix(site.origin) for url in crawl("--resources", site.url()).urls}
    # /e.png has no blank behind its comma, but one at the end of the line.
    assert found_paths == {"/", "/a.png", "/b.png", "/c,d.png", "/e.png", "/f.png"}


# How a page may be linked beside a plain link: in the same document, or in one that is read earlier.
BESIDE = ["<img src=/a>", "<link rel=stylesheet href=/a>", "<script src=/a></script>", "<a rel=nofollow href=/a>x</a>"]


@pytest.mark.parametrize("beside", BESIDE)
@pytest.mark.parametrize("option", ["--resources", "--check"])
def test_a_page_that_is_also_linked_otherwise_is_read(crawl: Crawler, site: Site, beside: str, option: str) -> None:
    site.put("/", Answer(f"{beside}<a href=/a>x</a>".encode()))
    site.put("/a", page("/b"))
    site.put("/b", text("there"))
    assert site.url("/b") in crawl(option, site.url()).urls


@pytest.mark.parametrize("beside", BESIDE)
@pytest.mark.parametrize("option", ["--resources", "--check"])
def test_a_page_that_was_linked_otherwise_earlier_is_read(crawl: Crawler, site: Site, beside: str, option: str) -> None:
    site.put("/", Answer(f"{beside}<a href=/1>x</a>".encode()))
    site.put("/1", page("/2"))
    site.put("/2", page("/a"))
    site.put("/a", page("/b"))
    site.put("/b", text("there"))
    done = crawl(option, site.url())
    assert site.url("/b") in done.urls
    assert len(done.by_url) == 5


def test_resources_keep_to_the_hosts(crawl: Crawler, site: Site) -> None:
    site.put("/", Answer(b"<img src=http://127.0.0.77/x.png><img src=/y.png>"))
    assert crawl("--resources", site.url()).urls == {site.url(), site.url("/y.png")}


def test_a_resource_is_one_link_deeper_than_its_page(crawl: Crawler, site: Site) -> None:
    site.put("/", Answer(b"<img src=/a.png><a href=/b>"))
    site.put("/b", Answer(b"<img src=/c.png>"))
    done = crawl("--resources", "--max-depth", "1", site.url())
    assert {url.removeprefix(site.origin) for url in done.urls} == {"/", "/a.png", "/b"}


def test_a_large_page_is_read_to_its_end(crawl: Crawler, site: Site) -> None:
    filler = b"<p>" + b"lorem ipsum <b>dolor</b> " * 100_000
    site.put("/", Answer(filler + b"<a href=/last>x", framing="chunked"))
    assert crawl(site.url()).urls == {site.url(), site.url("/last")}


def test_many_links_of_one_page_are_all_followed(crawl: Crawler, site: Site) -> None:
    site.put("/", page(*(f"/{number}" for number in range(2000))))
    done = crawl(site.url())
    assert done.record(site.url())["links"] == 2000
    assert len(done.records) == 2001
