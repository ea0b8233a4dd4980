"""Which hosts are crawled, and at which depth pages are found, whatever the order of the answers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from testing.crawl.crawling import Crawler
from testing.crawl.web.answer import redirect
from testing.crawl.web.pages import page
from testing.crawl.web.server import Site, Web


def test_only_hosts_of_the_given_urls_are_crawled(crawl: Crawler, web: Web) -> None:
    first, second, third = (web.site() for _ in range(3))
    first.put("/", page(second.url("/a"), third.url("/a")))
    assert crawl(first.url(), second.url()).urls == {first.url(), second.url(), second.url("/a")}
    assert third.origin not in web.log.by_host()


def test_another_port_is_another_host(crawl: Crawler, web: Web, site: Site) -> None:
    other = web.site(site.address)
    site.put("/", page(other.url("/a")))
    assert crawl(site.url()).urls == {site.url()}
    assert other.origin not in web.log.by_host()


def test_another_scheme_is_another_host(crawl: Crawler, web: Web, site: Site) -> None:
    other = web.site(fault="none")
    site.put("/", page(other.url("/a")))
    assert crawl("--insecure", site.url()).urls == {site.url()}


def test_span_hosts_follows_to_other_hosts(crawl: Crawler, web: Web) -> None:
    first, second, third = (web.site() for _ in range(3))
    first.put("/", page(second.url("/a")))
    second.put("/a", page(third.url("/b")))
    done = crawl("--span-hosts", "--private", first.url())
    assert done.urls == {first.url(), second.url("/a"), third.url("/b")}
    assert done.record(third.url("/b"))["depth"] == 2


def test_a_given_url_has_depth_0_even_if_it_is_linked(crawl: Crawler, site: Site) -> None:
    site.put("/", page("/a"))
    site.put("/a", page("/b"))
    done = crawl(site.url(), site.url("/b"))
    assert {url: record["depth"] for url, record in done.by_url.items()} == {
        site.url("/"): 0,
        site.url("/a"): 1,
        site.url("/b"): 0,
    }


def slow_shortcut(web: Web) -> tuple[Site, Site]:
    """A page that is two links away over a slow page, four over quick ones; it has a child."""
    slow, quick = web.site(), web.site()
    quick.put("/", page("/1", slow.url("/shortcut")))
    quick.put("/1", page("/2"))
    quick.put("/2", page("/3"))
    quick.put("/3", page("/goal"))
    quick.put("/goal", page("/child"))
    quick.put("/child", page("/grandchild"))
    slow.put("/shortcut", replace(page(quick.url("/goal")), delay_s=1.0))
    return slow, quick


def test_depth_is_the_least_number_of_links_though_the_long_way_is_quicker(crawl: Crawler, web: Web) -> None:
    slow, quick = slow_shortcut(web)
    done = crawl("--span-hosts", "--private", quick.url())
    depths = {url.rsplit("/", 1)[1]: record["depth"] for url, record in done.by_url.items()}
    assert depths == {"": 0, "1": 1, "2": 2, "3": 3, "shortcut": 1, "goal": 2, "child": 3, "grandchild": 4}
    assert slow.url("/shortcut") in done.urls


@pytest.mark.parametrize("most", [2, 3, 4])
def test_max_depth_selects_by_the_least_number_of_links(crawl: Crawler, web: Web, most: int) -> None:
    _, quick = slow_shortcut(web)
    done = crawl("--span-hosts", "--private", "--max-depth", str(most), quick.url())
    reached = {url.rsplit("/", 1)[1] for url in done.urls}
    expected = {"": 0, "1": 1, "2": 2, "3": 3, "shortcut": 1, "goal": 2, "child": 3, "grandchild": 4}
    assert reached == {name for name, depth in expected.items() if depth <= most}


def test_a_redirect_keeps_the_depth(crawl: Crawler, site: Site) -> None:
    site.put("/", page("/moved"))
    site.put("/moved", redirect("/there"))
    site.put("/there", page("/next"))
    done = crawl("--max-depth", "1", site.url())
    assert {url.removeprefix(site.origin): record["depth"] for url, record in done.by_url.items()} == {
        "/": 0,
        "/moved": 1,
        "/there": 1,
    }


def test_pages_that_link_each_other_end(crawl: Crawler, site: Site) -> None:
    paths = [f"/{number}" for number in range(30)]
    for path in paths:
        site.put(path, page(*paths))
    assert len(crawl(site.url("/0")).records) == 30


@pytest.mark.slow
def test_twenty_thousand_pages(crawl: Crawler, site: Site) -> None:
    most = 20_000
    for number in range(most):
        site.put(f"/{number}", page(f"/{2 * number + 1}", f"/{2 * number + 2}", f"/{number // 2}", "/0"))
    done = crawl("--rate", "0", site.url("/0"))
    assert len([record for record in done.records if record["status"] == 200]) == most
