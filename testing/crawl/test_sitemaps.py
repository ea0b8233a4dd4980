"""Sitemaps that robots.txt names: their pages have depth 0."""

from __future__ import annotations

import gzip

import pytest

from testing.crawl.crawling import Crawler
from testing.crawl.web.answer import Answer, gone, text
from testing.crawl.web.pages import page
from testing.crawl.web.server import Request, Site, Web

SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def sitemap(*urls: str, kind: str = "url") -> str:
    places = "".join(f"<{kind}>\n<loc> {url} </loc><lastmod>2026-01-01</lastmod></{kind}>" for url in urls)
    root = "urlset" if kind == "url" else "sitemapindex"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<{root} {SPACE}>{places}</{root}>'


def test_pages_of_a_sitemap_have_depth_0(crawl: Crawler, site: Site) -> None:
    site.robots(f"User-agent: *\nDisallow:\nSitemap: {site.url('/map.xml')}")
    site.put("/", page("/linked"))
    site.put("/listed", page("/further"))
    site.put("/map.xml", text(sitemap(site.url("/listed"), site.url("/linked")), "application/xml"))
    done = crawl(site.url())
    assert {url.removeprefix(site.origin): record["depth"] for url, record in done.by_url.items()} == {
        "/": 0,
        "/linked": 0,
        "/listed": 0,
        "/further": 1,
    }


def test_they_count_with_max_depth_0(crawl: Crawler, site: Site) -> None:
    site.robots(f"Sitemap: {site.url('/map.xml')}")
    site.put("/map.xml", text(sitemap(site.url("/a")), "text/xml"))
    assert crawl("--max-depth", "0", site.url()).urls == {site.url(), site.url("/a")}


@pytest.mark.parametrize("as_coding", [True, False])
def test_a_packed_sitemap_is_read(crawl: Crawler, site: Site, as_coding: bool) -> None:
    site.robots(f"Sitemap: {site.url('/map.xml.gz')}")
    body = sitemap(site.url("/a")).encode()
    packed = Answer(gzip.compress(body), "application/gzip")
    site.put("/map.xml.gz", Answer(body, "application/xml", coding="gzip") if as_coding else packed)
    assert site.url("/a") in crawl(site.url()).urls


def test_an_index_names_further_sitemaps(crawl: Crawler, web: Web, site: Site) -> None:
    site.robots(f"sitemap:{site.url('/index.xml')}")
    site.put("/index.xml", text(sitemap(site.url("/1.xml"), site.url("/2.xml.gz"), kind="sitemap"), "text/xml"))
    site.put("/1.xml", text(sitemap(site.url("/a")), "text/xml"))
    site.put("/2.xml.gz", Answer(gzip.compress(sitemap(site.url("/b")).encode()), "application/x-gzip"))
    assert crawl(site.url()).urls == {site.url(), site.url("/a"), site.url("/b")}
    assert web.log.counts()[site.url("/index.xml")] == 1


def test_an_index_that_names_a_new_one_each_time_ends(crawl: Crawler, web: Web, site: Site) -> None:
    def index(request: Request) -> Answer:
        number = int(request.target.rsplit("=", 1)[1]) if "map=" in request.target else 0
        named = f"<sitemap><loc>{site.url('/?map=')}{number + 1}</loc></sitemap>"
        return Answer(f"<sitemapindex>{named}</sitemapindex>".encode(), "application/xml")

    site.robots(f"Sitemap: {site.url('/?map=0')}")
    site.otherwise = index
    site.put("/", page())
    done = crawl(site.url())
    assert done.urls == {site.url()}
    assert len([one for one in web.log.all() if "map=" in one.url]) < 30


def test_an_index_that_names_itself_ends(crawl: Crawler, web: Web, site: Site) -> None:
    site.robots(f"Sitemap: {site.url('/index.xml')}")
    site.put("/index.xml", text(sitemap(site.url("/index.xml"), site.url("/1.xml"), kind="sitemap"), "text/xml"))
    site.put("/1.xml", text(sitemap(site.url("/a")), "text/xml"))
    assert site.url("/a") in crawl(site.url()).urls
    assert web.log.counts()[site.url("/index.xml")] <= 2


def test_several_sitemaps_are_read(crawl: Crawler, site: Site) -> None:
    site.robots("".join(f"Sitemap: {site.url(f'/{number}.xml')}\n" for number in range(3)))
    for number in range(3):
        site.put(f"/{number}.xml", text(sitemap(site.url(f"/page{number}")), "text/xml"))
    assert crawl(site.url()).urls == {site.url(), *(site.url(f"/page{number}") for number in range(3))}


def test_entities_in_locations_are_decoded(crawl: Crawler, site: Site) -> None:
    site.robots(f"Sitemap: {site.url('/map.xml')}")
    site.put("/map.xml", text(sitemap(site.url("/a?x=1&amp;y=2&#38;z")), "text/xml"))
    assert site.url("/a?x=1&y=2&z") in crawl(site.url()).urls


def test_pages_of_other_hosts_are_out_of_scope(crawl: Crawler, web: Web, site: Site) -> None:
    other = web.site()
    site.robots(f"Sitemap: {site.url('/map.xml')}")
    site.put("/map.xml", text(sitemap(other.url("/a"), site.url("/b")), "text/xml"))
    assert crawl(site.url()).urls == {site.url(), site.url("/b")}
    assert other.origin not in web.log.by_host()


def test_rules_hold_for_pages_of_a_sitemap(crawl: Crawler, site: Site) -> None:
    site.robots(f"User-agent: *\nDisallow: /a\nSitemap: {site.url('/map.xml')}")
    site.put("/map.xml", text(sitemap(site.url("/a")), "text/xml"))
    assert crawl(site.url()).record(site.url("/a"))["error"] == "robots"


BROKEN = {
    "not there": gone(404),
    "not XML": text("hello <loc>world", "text/xml"),
    "empty": text("", "text/xml"),
    "not packed": text("\x1f\x8b nothing", "application/gzip"),
    "cut off": text(sitemap("http://127.0.0.1/a")[:-60], "text/xml"),
    "entities without end": text(
        '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;">]>'
        "<urlset><url><loc>http://x/&c;&c;&c;</loc></url></urlset>",
        "text/xml",
    ),
    "external entities": text(
        '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]><urlset><url><loc>&a;</loc></url></urlset>', "text/xml"
    ),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_sitemap_does_no_harm(crawl: Crawler, site: Site, what: str) -> None:
    site.robots(f"Sitemap: {site.url('/map.xml')}")
    site.put("/map.xml", BROKEN[what])
    site.put("/", page("/a"))
    assert crawl(site.url()).urls == {site.url(), site.url("/a")}


def test_pages_of_a_sitemap_count_for_max_pages_and_the_sitemap_does_not(crawl: Crawler, site: Site) -> None:
    site.robots(f"Sitemap: {site.url('/map.xml')}")
    site.put("/map.xml", text(sitemap(*(site.url(f"/{number}") for number in range(30))), "text/xml"))
    assert len(crawl("--max-pages", "10", site.url()).records) == 10
