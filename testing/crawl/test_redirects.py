"""Redirects: each hop is a record, ten in a row are followed, circles are not."""

from __future__ import annotations

import pytest

from testing.crawl.crawling import Crawler
from testing.crawl.web.answer import Answer, redirect, text
from testing.crawl.web.pages import page
from testing.crawl.web.server import Site, Web


def chain(site: Site, redirects: int) -> None:
    """/0 redirects to /1 and so on; what the last one leads to is a page."""
    for number in range(redirects):
        site.put(f"/{number}", redirect(f"/{number + 1}"))
    site.put(f"/{redirects}", text("arrived"))


@pytest.mark.parametrize("redirects", [1, 9, 10])
def test_up_to_ten_in_a_row_are_followed_and_each_hop_is_a_record(crawl: Crawler, site: Site, redirects: int) -> None:
    chain(site, redirects)
    done = crawl(site.url("/0"))
    assert done.urls == {site.url(f"/{number}") for number in range(redirects + 1)}
    assert {record["depth"] for record in done.records} == {0}
    assert {record["error"] for record in done.records} == {None}
    assert done.record(site.url(f"/{redirects}"))["status"] == 200
    for number in range(redirects):
        record = done.record(site.url(f"/{number}"))
        assert (record["status"], record["redirect"]) == (302, site.url(f"/{number + 1}"))


def test_the_eleventh_in_a_row_is_not_followed_and_has_the_error(crawl: Crawler, web: Web, site: Site) -> None:
    chain(site, 11)
    done = crawl(site.url("/0"))
    assert done.urls == {site.url(f"/{number}") for number in range(11)}
    errors = {url.rsplit("/", 1)[1]: record["error"] for url, record in done.by_url.items() if record["error"]}
    assert errors == {"10": "redirect_loop"}
    record = done.record(site.url("/10"))
    assert (record["status"], record["redirect"]) == (302, site.url("/11"))
    assert web.log.of(site.url("/11")) == []


def test_a_redirect_to_itself_is_a_loop(crawl: Crawler, web: Web, site: Site) -> None:
    site.put("/", redirect("/#again"))
    record = crawl(site.url()).record(site.url())
    assert (record["status"], record["error"]) == (302, "redirect_loop")
    assert web.log.counts()[site.url()] == 1


def test_the_record_that_leads_back_into_its_chain_has_the_error(crawl: Crawler, web: Web, site: Site) -> None:
    site.put("/0", redirect("/1"))
    site.put("/1", redirect("/2"))
    site.put("/2", redirect("/1"))
    done = crawl(site.url("/0"))
    assert {url.rsplit("/", 1)[1]: record["error"] for url, record in done.by_url.items()} == {
        "0": None,
        "1": None,
        "2": "redirect_loop",
    }
    assert set(web.log.counts().values()) == {1}


def test_a_redirect_to_a_page_that_was_seen_is_no_loop(crawl: Crawler, site: Site) -> None:
    site.put("/", page("/a", "/moved"))
    site.put("/a", page())
    site.put("/moved", redirect("/"))
    assert {record["error"] for record in crawl(site.url()).records} == {None}


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_every_status_of_a_redirect_is_followed(crawl: Crawler, site: Site, status: int) -> None:
    site.put("/", redirect("/a", status))
    site.put("/a", text("there"))
    done = crawl(site.url())
    assert done.record(site.url())["status"] == status
    assert done.record(site.url("/a"))["status"] == 200


@pytest.mark.parametrize("status", [200, 201, 304, 404])
def test_location_of_other_answers_is_no_redirect(crawl: Crawler, site: Site, status: int) -> None:
    framing = "none" if status == 304 else "length"
    site.put("/", Answer(b"", None, status, (("Location", "/a"),), framing))
    done = crawl(site.url())
    assert done.urls == {site.url()}
    assert done.record(site.url())["redirect"] is None


def test_a_redirect_without_location_is_an_answer(crawl: Crawler, site: Site) -> None:
    site.put("/", Answer(b"moved", "text/plain", 302))
    record = crawl(site.url()).record(site.url())
    assert (record["status"], record["redirect"]) == (302, None)


LOCATIONS = {"b": "/x/b", "../b": "/b", "?q": "/x/a?q", "//{host}/b": "/b", "/b c": "/b%20c", "/b#c": "/b"}


@pytest.mark.parametrize("location", LOCATIONS)
def test_location_is_relative_to_the_page(crawl: Crawler, site: Site, location: str) -> None:
    site.put("/x/a", redirect(location.format(host=f"{site.address}:{site.port}")))
    assert crawl(site.url("/x/a")).urls == {site.url("/x/a"), site.url(LOCATIONS[location])}


def test_location_in_utf_8_is_percent_encoded(crawl: Crawler, site: Site) -> None:
    site.put("/", redirect("/ä".encode().decode("latin-1")))
    assert site.url("/%C3%A4") in crawl(site.url()).urls


def test_a_redirect_out_of_scope_is_not_followed(crawl: Crawler, web: Web, site: Site) -> None:
    other = web.site()
    site.put("/", redirect(other.url("/a")))
    done = crawl(site.url())
    assert done.urls == {site.url()}
    assert done.record(site.url())["redirect"] == other.url("/a")
    assert other.origin not in web.log.by_host()


def test_a_redirect_to_another_host_is_followed_with_span_hosts(crawl: Crawler, web: Web, site: Site) -> None:
    other = web.site()
    site.put("/", redirect(other.url("/a")))
    other.put("/a", text("there"))
    done = crawl("--span-hosts", "--private", site.url())
    assert done.record(other.url("/a"))["status"] == 200
    assert web.log.by_host()[other.origin][0].url == other.url("/robots.txt")


def test_a_redirect_to_another_scheme_is_not_asked_for(crawl: Crawler, site: Site) -> None:
    site.put("/", redirect("ftp://127.0.0.1/x"))
    done = crawl("--span-hosts", "--private", site.url())
    assert done.record(site.url())["redirect"] == "ftp://127.0.0.1/x"
    assert all(record["error"] == "scheme" for record in done.records if record["url"].startswith("ftp"))


def test_a_redirect_to_what_is_excluded_is_not_followed(crawl: Crawler, web: Web, site: Site) -> None:
    site.put("/", redirect("/private"))
    assert crawl("--exclude", "private", site.url()).urls == {site.url()}
    assert web.log.of(site.url("/private")) == []


@pytest.mark.parametrize(
    "location", ["http://[", "http://", "", " ", "?", "\x01", "http://127.0.0.1:99999/", "//", "http:"]
)
def test_odd_locations_do_no_harm(crawl: Crawler, site: Site, location: str) -> None:
    site.put("/", page("/odd", "/a"))
    site.put("/odd", redirect(location))
    done = crawl(site.url())
    assert {site.url("/odd"), site.url("/a")} <= done.urls


def test_the_target_of_two_redirects_is_fetched_once(crawl: Crawler, web: Web, site: Site) -> None:
    site.put("/", page("/a", "/b", "/c"))
    for path in ("/a", "/b"):
        site.put(path, redirect("/c"))
    assert len(crawl(site.url()).records) == 4
    assert web.log.counts()[site.url("/c")] == 1


def test_links_of_a_redirects_body_are_not_followed_instead_of_its_target(crawl: Crawler, site: Site) -> None:
    site.put("/", Answer(b"<a href=/there>moved</a>", status=301, headers=(("Location", "/there"),)))
    site.put("/there", text("arrived"))
    done = crawl(site.url())
    assert done.urls == {site.url(), site.url("/there")}
    assert done.record(site.url("/there"))["depth"] == 0
