"""URLs are those of the WHATWG URL standard, without fragment; two spellings with one normal form are one page."""

from __future__ import annotations

import html

import pytest

from testing.crawl.crawling import Crawler
from testing.crawl.web.answer import Answer
from testing.crawl.web.pages import page
from testing.crawl.web.server import Site, Web

# Reference on the page /dir/page?query, and the URL that it means, without its origin.
REFERENCES = {
    "x": "/dir/x",
    "./x": "/dir/x",
    "../x": "/x",
    "../../../x": "/x",
    "?x": "/dir/page?x",
    "/x/./y/../z": "/x/z",
    "/x/%2e/y/%2E%2e/z": "/x/z",
    "/x/..": "/",
    "/x//y": "/x//y",
    "\\x\\y": "/x/y",
    "/x?a\\b": "/x?a\\b",
    "  /x  ": "/x",
    "/x\ty\n": "/xy",
    "/x y": "/x%20y",
    "/x?y z": "/x?y%20z",
    "/x%20y": "/x%20y",
    "/%7Ex": "/%7Ex",
    "/~x": "/~x",
    "/x%zz": "/x%zz",
    "/x'y\"z": "/x'y%22z",
    "/x?'\"<>": "/x?%27%22%3C%3E",
    "/{x}|^`": "/%7Bx%7D|%5E%60",
    "/x;y=1,2": "/x;y=1,2",
    "/x?b=2&a=1": "/x?b=2&a=1",
    "/x?": "/x?",
    "/x#y": "/x",
    "/x?#": "/x?",
    "/ä": "/%C3%A4",
    "/x?ä": "/x?%C3%A4",
    "/日本": "/%E6%97%A5%E6%9C%AC",
    "/x:y": "/x:y",
}


@pytest.mark.parametrize("reference", REFERENCES)
def test_a_reference_means_this_url(crawl: Crawler, web: Web, site: Site, reference: str) -> None:
    site.put("/dir/page?query", Answer(f'<a href="{html.escape(reference)}">x</a>'.encode()))
    expected = site.url(REFERENCES[reference])
    assert crawl(site.url("/dir/page?query")).urls == {site.url("/dir/page?query"), expected}
    assert expected in web.log.urls()


ABSOLUTE = {
    "HTTP://{host}:{port}/x": "/x",
    "http:\\\\{host}:{port}\\x": "/x",
    "http:////{host}:{port}/x": "/x",
    "//{host}:{port}/x": "/x",
    "http://{host}:0{port}/x": "/x",
    "http://0x7f.0.0.{last}:{port}/x": "/x",
    "http://127.{last}:{port}/x": "/x",
    "http://%31%32%37.0.0.{last}:{port}/x": "/x",
    "http://\uff11\uff12\uff17.0.0.{last}:{port}/x": "/x",  # digits of full width
    "ht\ntp://{host}:{port}/x": "/x",
    "http://{host}:{port}": "/",
}


@pytest.mark.parametrize("reference", ABSOLUTE)
def test_an_absolute_reference_means_this_url(crawl: Crawler, site: Site, reference: str) -> None:
    last = site.address.rsplit(".", 1)[1]
    written = reference.format(host=site.address, port=site.port, last=last)
    site.put("/here", Answer(f'<a href="{written}">x</a>'.encode()))
    assert crawl(site.url("/here")).urls == {site.url("/here"), site.url(ABSOLUTE[reference])}


@pytest.mark.parametrize(
    "reference", ["http://[", "http://a b/", "http://127.0.0.1:99999/", "http://", "http://a%00b/"]
)
def test_what_is_no_url_is_no_link(crawl: Crawler, site: Site, reference: str) -> None:
    site.put("/", page(reference, "/a"))
    assert crawl(site.url()).urls == {site.url(), site.url("/a")}


def test_spellings_of_one_url_are_one_page(crawl: Crawler, web: Web, site: Site) -> None:
    site.put("/", page("/a", "./a", "/b/../a", "a#x", f"HTTP://{site.address}:{site.port}/a", "/%2e/a", "\\a"))
    done = crawl(site.url())
    assert done.urls == {site.url(), site.url("/a")}
    assert web.log.counts()[site.url("/a")] == 1
    assert done.record(site.url())["links"] == 1


def test_what_the_standard_keeps_apart_stays_apart(crawl: Crawler, site: Site) -> None:
    references = ["/a", "/a/", "/A", "/%61", "/a?", "/a?x=1&y=2", "/a?y=2&x=1", "/a?x=1&y=2&", "/a;s=1", "/b//"]
    site.put("/", page(*references))
    assert crawl(site.url()).urls == {site.url()} | {site.url(reference) for reference in references}


def test_a_long_query_is_not_shortened(crawl: Crawler, site: Site) -> None:
    long = "/a?" + "&".join(f"k{number}=v" for number in range(200))
    site.put("/", page(long))
    assert site.url(long) in crawl(site.url()).urls


def test_given_urls_are_made_normal_too(crawl: Crawler, site: Site) -> None:
    given = f"HTTP://{site.address}:{site.port}/x/../a?b#c"
    assert crawl(given).urls == {site.url("/a?b")}


def test_an_address_may_be_given_as_one_number(crawl: Crawler, site: Site) -> None:
    last = int(site.address.rsplit(".", 1)[1])
    assert crawl(f"http://{(127 << 24) + last}:{site.port}/a").urls == {site.url("/a")}


def test_names_and_passwords_are_not_sent_in_the_request_line(crawl: Crawler, web: Web, site: Site) -> None:
    crawl(f"http://user:secret@{site.address}:{site.port}/a")
    assert all("secret" not in one.url for one in web.log.all())
