"""One request at a time to a host, and never faster than the rate; from the servers' own log."""

from __future__ import annotations

from dataclasses import replace
from statistics import median

import pytest

from testing.crawl.crawling import Crawler
from testing.crawl.web.answer import redirect, text
from testing.crawl.web.log import gaps, most_at_once
from testing.crawl.web.pages import page
from testing.crawl.web.proxy import Proxy
from testing.crawl.web.server import Site, Web

# Starts are seen when the request arrives; that may be a little later than it was sent.
BLUR_S = 0.1


def wide(site: Site, pages: int, delay_s: float = 0.0) -> None:
    site.put("/", page(*(f"/{number}" for number in range(pages))))
    for number in range(pages):
        site.put(f"/{number}", replace(text("x"), delay_s=delay_s))


def test_one_at_a_time_is_the_default(crawl: Crawler, web: Web, site: Site) -> None:
    wide(site, 30, delay_s=0.02)
    crawl(site.url())
    assert most_at_once(web.log.all()) == 1


def test_one_at_a_time_holds_with_a_rate(crawl: Crawler, web: Web, site: Site) -> None:
    wide(site, 6, delay_s=0.3)
    crawl("--rate", "50", site.url())
    assert most_at_once(web.log.all()) == 1


def test_several_hosts_are_asked_at_once(crawl: Crawler, web: Web) -> None:
    sites = [web.site() for _ in range(5)]
    for site in sites:
        wide(site, 5, delay_s=0.1)
    crawl(*(site.url() for site in sites))
    assert most_at_once(web.log.all()) == 5
    for exchanges in web.log.by_host().values():
        assert most_at_once(exchanges) == 1


def test_rate_0_asks_a_host_for_several_at_once(crawl: Crawler, web: Web, site: Site) -> None:
    wide(site, 30, delay_s=0.1)
    crawl("--rate", "0", site.url())
    assert most_at_once(web.log.all()) > 3


@pytest.mark.parametrize("rate", ["4", "2.5"])
def test_the_gap_from_start_to_start_is_at_least_that_of_the_rate(
    crawl: Crawler, web: Web, site: Site, rate: str
) -> None:
    wide(site, 6)
    crawl("--rate", rate, site.url())
    assert min(gaps(web.log.all())) >= 1 / float(rate) - BLUR_S


def test_the_rate_is_reached_though_answers_are_slow(crawl: Crawler, web: Web, site: Site) -> None:
    wide(site, 6, delay_s=0.15)
    crawl("--rate", "4", site.url())
    assert median(gaps(web.log.all())) < 0.25 + BLUR_S


def test_the_rate_is_of_each_host(crawl: Crawler, web: Web) -> None:
    sites = [web.site() for _ in range(3)]
    for site in sites:
        wide(site, 4)
    crawl("--rate", "4", *(site.url() for site in sites))
    for exchanges in web.log.by_host().values():
        assert min(gaps(exchanges)) >= 0.25 - BLUR_S
    starts = [one.start for one in web.log.all()]
    assert max(starts) - min(starts) < 2.5


def test_hosts_given_by_loopback_number_have_no_pause_by_default(crawl: Crawler, web: Web, site: Site) -> None:
    wide(site, 50)
    crawl(site.url())
    starts = [one.start for one in web.log.all()]
    assert max(starts) - min(starts) < 5


def test_a_loopback_number_mapped_into_ipv6_has_no_pause_by_default(crawl: Crawler, web: Web) -> None:
    site = web.site("127.0.0.1")
    wide(site, 20)
    assert len(crawl(f"http://[::ffff:127.0.0.1]:{site.port}/").records) == 21
    starts = [one.start for one in web.log.all()]
    assert max(starts) - min(starts) < 5


def test_localhost_has_no_pause_by_default(crawl: Crawler, web: Web) -> None:
    site = web.site("localhost")
    wide(site, 20)
    assert len(crawl(site.url()).records) == 21
    starts = [one.start for one in web.log.all()]
    assert max(starts) - min(starts) < 5
    assert most_at_once(web.log.all()) == 1


def test_other_hosts_get_one_request_a_second_by_default(crawl: Crawler, web: Web, site: Site) -> None:
    wide(site, 2)
    proxy = Proxy(web, {"somewhere.test": site})
    assert len(crawl("--proxy", proxy.url, "http://somewhere.test/").records) == 3
    assert min(gaps(web.log.all())) >= 1 - BLUR_S
    assert len(web.log.all()) == 4


def test_hosts_found_by_links_get_the_default_rate_too(crawl: Crawler, web: Web, site: Site) -> None:
    other = web.site()
    site.put("/", page(other.url("/a"), other.url("/b")))
    crawl("--span-hosts", "--private", site.url())
    assert min(gaps(web.log.by_host()[other.origin])) >= 1 - BLUR_S


def test_redirects_within_a_host_keep_the_gap(crawl: Crawler, web: Web, site: Site) -> None:
    for number in range(4):
        site.put(f"/{number}", redirect(f"/{number + 1}"))
    crawl("--rate", "4", site.url("/0"))
    assert min(gaps(web.log.all())) >= 0.25 - BLUR_S
    assert most_at_once(web.log.all()) == 1


def test_robots_and_sitemaps_count_for_the_rate(crawl: Crawler, web: Web, site: Site) -> None:
    site.robots(f"Sitemap: {site.url('/map.xml')}")
    site.put("/map.xml", text(f"<urlset><url><loc>{site.url('/a')}</loc></url></urlset>", "application/xml"))
    crawl("--rate", "4", site.url())
    assert len(web.log.all()) == 4
    assert min(gaps(web.log.all())) >= 0.25 - BLUR_S


def test_check_keeps_one_at_a_time_and_the_rate(crawl: Crawler, web: Web, site: Site) -> None:
    other = web.site()
    site.put("/", page(*(other.url(f"/{number}") for number in range(4))))
    other.otherwise = lambda _request: text("there")
    crawl("--check", "--private", "--rate", "4", site.url())
    exchanges = web.log.by_host()[other.origin]
    assert min(gaps(exchanges)) >= 0.25 - BLUR_S
    assert most_at_once(exchanges) == 1
