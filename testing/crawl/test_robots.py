"""robots.txt by RFC 9309: when it is asked for, what its states mean, and which rule of it counts."""

from __future__ import annotations

from itertools import pairwise

import pytest

from testing.crawl.crawling import Crawler
from testing.crawl.web import hostile as bad
from testing.crawl.web.answer import Answer, gone, later, redirect, text
from testing.crawl.web.log import gaps, most_at_once
from testing.crawl.web.pages import page
from testing.crawl.web.server import Resource, Site, Turns, Web, hostile


def allowed(crawl: Crawler, site: Site, robots: str | bytes, path: str) -> bool:
    """Whether a path may be fetched by these rules; it must then say so in its record, and in no other way."""
    site.put("/robots.txt", Answer(robots.encode() if isinstance(robots, str) else robots, "text/plain"))
    site.put(path, text("there"))
    record = crawl(site.url(path)).record(site.url(path))
    asked = any(one.url == site.url(path) for one in site.web.log.all())
    assert (record["status"], record["error"]) == ((200, None) if asked else (0, "robots"))
    return asked


def test_it_is_asked_for_once_before_anything_else_of_a_host(crawl: Crawler, web: Web) -> None:
    sites = [web.site() for _ in range(3)]
    for site in sites:
        site.put("/", page("/a", "/b"))
    crawl("--rate", "0", *(site.url() for site in sites))
    for site in sites:
        urls = [one.url for one in web.log.by_host()[site.origin]]
        assert urls[0] == site.url("/robots.txt")
        assert urls.count(site.url("/robots.txt")) == 1


def test_each_port_has_its_own(crawl: Crawler, web: Web, site: Site) -> None:
    other = web.site(site.address)
    other.robots("User-agent: *\nDisallow: /")
    done = crawl(site.url("/a"), other.url("/a"))
    assert done.record(site.url("/a"))["error"] is None
    assert done.record(other.url("/a"))["error"] == "robots"


def test_a_disallowed_url_is_a_record_and_not_asked_for(crawl: Crawler, web: Web, site: Site) -> None:
    site.put("/", page("/private/a", "/public"))
    site.robots("User-agent: *\nDisallow: /private/")
    record = crawl(site.url()).record(site.url("/private/a"))
    assert (record["status"], record["error"], record["depth"]) == (0, "robots", 1)
    assert record["referrer"] == site.url()
    assert web.log.of(site.url("/private/a")) == []


def test_a_given_url_may_be_disallowed(crawl: Crawler, site: Site) -> None:
    assert not allowed(crawl, site, "User-agent: *\nDisallow: /", "/a")


def test_no_robots_does_not_ask_for_it(crawl: Crawler, web: Web, site: Site) -> None:
    site.robots("User-agent: *\nDisallow: /")
    assert crawl("--no-robots", site.url()).record(site.url())["status"] == 404
    assert web.log.of(site.url("/robots.txt")) == []


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 429])
def test_one_that_is_unavailable_allows_everything(crawl: Crawler, site: Site, status: int) -> None:
    """4xx: RFC 9309, section 2.3.1.3."""
    site.put("/robots.txt", gone(status))
    assert crawl(site.url()).record(site.url())["error"] is None


STATES: dict[str, Resource] = {
    "500": gone(500),
    "502": gone(502),
    "503": gone(503),
    "silence": hostile(bad.silent),
    "a reset": hostile(bad.reset_before_the_head),
    "a reset in its body": hostile(bad.reset_in_the_body),
}


@pytest.mark.parametrize("state", STATES)
def test_one_that_cannot_be_reached_disallows_everything(crawl: Crawler, web: Web, site: Site, state: str) -> None:
    """RFC 9309, section 2.3.1.4."""
    site.put("/robots.txt", STATES[state])
    record = crawl("--timeout", "1", site.url()).record(site.url())
    assert (record["status"], record["error"]) == (0, "robots")
    assert web.log.pages() == []


def test_one_that_recovers_counts(crawl: Crawler, site: Site) -> None:
    site.put("/robots.txt", Turns(gone(500), Answer(b"User-agent: *\nDisallow: /no", "text/plain")))
    done = crawl(site.url("/a"), site.url("/no"))
    assert (done.record(site.url("/a"))["error"], done.record(site.url("/no"))["error"]) == (None, "robots")


@pytest.mark.parametrize("status", [429, 503])
def test_one_that_is_asked_for_too_early_is_asked_for_after_retry_after(
    crawl: Crawler, web: Web, site: Site, status: int
) -> None:
    site.put("/robots.txt", Turns(later(status, "2"), Answer(b"User-agent: *\nDisallow: /no", "text/plain")))
    done = crawl("--rate", "0", site.url("/a"), site.url("/no"))
    assert (done.record(site.url("/a"))["error"], done.record(site.url("/no"))["error"]) == (None, "robots")
    (gap,) = gaps(web.log.of(site.url("/robots.txt")))
    assert gap >= 1.8


def test_one_that_is_asked_for_too_early_is_asked_for_three_times(crawl: Crawler, web: Web, site: Site) -> None:
    site.put("/robots.txt", Turns(gone(500), later(503), gone(500)))
    assert crawl(site.url()).record(site.url())["error"] == "robots"
    assert len(web.log.of(site.url("/robots.txt"))) == 3
    assert max(gaps(web.log.of(site.url("/robots.txt")))) >= 0.8  # without Retry-After it is a second


def test_one_that_asks_to_wait_beyond_max_time_is_not_waited_for(crawl: Crawler, web: Web, site: Site) -> None:
    other = web.site()
    site.put("/robots.txt", later(503, "3600"))
    done = crawl("--max-time", "30", site.url(), other.url())
    assert (done.record(site.url())["error"], done.record(other.url())["status"]) == ("robots", 404)
    assert len(web.log.of(site.url("/robots.txt"))) == 1


def test_while_one_is_waited_for_other_hosts_are_asked(crawl: Crawler, web: Web, site: Site) -> None:
    other = web.site()
    site.put("/robots.txt", Turns(later(503, "2"), gone(404)))
    crawl("--connections", "1", site.url(), other.url())
    first, again = web.log.of(site.url("/robots.txt"))
    assert first.start < web.log.of(other.url())[0].start < again.start


def test_a_host_that_refuses_connections_has_that_error(crawl: Crawler, web: Web) -> None:
    url = web.closed()
    assert crawl(url).record(url)["error"] == "connect"


def test_a_name_that_does_not_exist_has_that_error(crawl: Crawler) -> None:
    url = "http://no-such-name.invalid/"
    assert crawl(url).record(url)["error"] == "dns"


@pytest.mark.parametrize("hops", [1, 5])
def test_redirects_of_it_are_followed(crawl: Crawler, site: Site, hops: int) -> None:
    """At least five: RFC 9309, section 2.3.1.2."""
    site.put("/robots.txt", redirect("/hop1"))
    for number in range(1, hops):
        site.put(f"/hop{number}", redirect(f"/hop{number + 1}"))
    site.put(f"/hop{hops}", Answer(b"User-agent: *\nDisallow: /no", "text/plain"))
    done = crawl(site.url("/no"), site.url("/yes"))
    assert done.urls == {site.url("/no"), site.url("/yes")}
    assert (done.record(site.url("/no"))["error"], done.record(site.url("/yes"))["error"]) == ("robots", None)


def test_a_circle_of_redirects_ends(crawl: Crawler, site: Site) -> None:
    site.put("/robots.txt", redirect("/robots.txt"))
    assert crawl(site.url()).record(site.url())["error"] in (None, "robots")


def test_a_redirect_of_it_to_another_host_is_followed(crawl: Crawler, web: Web, site: Site) -> None:
    other = web.site()
    other.put("/rules", Answer(b"User-agent: *\nDisallow: /no", "text/plain"))
    site.put("/robots.txt", redirect(other.url("/rules")))
    done = crawl("--private", site.url("/no"), site.url("/yes"))
    assert (done.record(site.url("/no"))["error"], done.record(site.url("/yes"))["error"]) == ("robots", None)


def test_redirects_of_several_to_one_host_keep_its_rate(crawl: Crawler, web: Web) -> None:
    other = web.site()
    other.robots("User-agent: *\nAllow: /")
    other.delay_s = 0.1
    sites = [web.site() for _ in range(4)]
    for one in sites:
        one.put("/robots.txt", redirect(other.url("/robots.txt")))
        one.put("/", text("there"))
    done = crawl("--private", "--rate", "4", *(one.url() for one in sites))
    assert {record["error"] for record in done.records} == {None}
    asked = sorted(web.log.by_host()[other.origin], key=lambda exchange: exchange.start)
    assert len(asked) == 4
    assert all(later.start - earlier.start >= 0.15 for earlier, later in pairwise(asked))
    assert most_at_once(asked) == 1


def test_a_host_that_is_crawled_and_led_to_is_asked_for_one_thing_at_a_time(crawl: Crawler, web: Web) -> None:
    other = web.site()
    other.delay_s = 0.2
    other.put("/", page("/a", "/b"))
    sites = [web.site() for _ in range(3)]
    for one in sites:
        one.put("/robots.txt", redirect(other.url("/robots.txt")))
    done = crawl("--private", "--rate", "100", other.url(), *(one.url() for one in sites))
    assert {one.url() for one in (other, *sites)} <= done.urls
    assert most_at_once(web.log.by_host()[other.origin]) == 1


def test_the_first_500_kib_are_parsed(crawl: Crawler, site: Site) -> None:
    start = "User-agent: *\n"
    filler = "# filler\n" * ((499 << 10) // 9)
    assert not allowed(crawl, site, start + filler + "Disallow: /a\n", "/a")


def test_of_600_kib_the_first_500_count(crawl: Crawler, site: Site) -> None:
    filler = "# filler\n" * ((600 << 10) // 9)
    done_robots = "User-agent: *\nDisallow: /early\n" + filler + "Disallow: /late\n"
    site.put("/robots.txt", Answer(done_robots.encode(), "text/plain"))
    done = crawl(site.url("/early"), site.url("/late"))
    assert done.record(site.url("/early"))["error"] == "robots"
    assert done.record(site.url("/late"))["error"] is None


RULES = {
    # name: (robots.txt, path, allowed)
    "an empty file": ("", "/a", True),
    "an empty disallow": ("User-agent: *\nDisallow:", "/a", True),
    "a path": ("User-agent: *\nDisallow: /a", "/a", False),
    "a path is a prefix": ("User-agent: *\nDisallow: /a", "/abc", False),
    "another path": ("User-agent: *\nDisallow: /a", "/b", True),
    "paths are case-sensitive": ("User-agent: *\nDisallow: /A", "/a", True),
    "the group of heddle": ("User-agent: heddle\nDisallow: /a\n\nUser-agent: *\nDisallow: /b", "/a", False),
    "the group of heddle only": ("User-agent: heddle\nDisallow: /a\n\nUser-agent: *\nDisallow: /b", "/b", True),
    "heddle in any case": ("User-agent: HEDDLE\nDisallow: /a", "/a", False),
    "the group of others": ("User-agent: googlebot\nDisallow: /a", "/a", True),
    "a name that only begins like ours": ("User-agent: heddlebot\nDisallow: /a", "/a", True),
    "a name with its version": ("User-agent: heddle/1.0\nDisallow: /a", "/a", False),
    "a group of several": ("User-agent: x\nUser-agent: heddle\nDisallow: /a", "/a", False),
    "two groups of heddle are one": (
        "User-agent: heddle\nDisallow: /a\n\nUser-agent: x\nDisallow: /\n\nUser-agent: heddle\nDisallow: /b",
        "/b",
        False,
    ),
    "blank lines do not end a group": ("User-agent: *\n\n\nDisallow: /a", "/a", False),
    "rules before any group": ("Disallow: /a\nUser-agent: x\nDisallow: /", "/a", True),
    "the longest match": ("User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", True),
    "the longest match, the other way": ("User-agent: *\nAllow: /a\nDisallow: /a/b", "/a/b/c", False),
    "allow wins among equals": ("User-agent: *\nDisallow: /a\nAllow: /a", "/a", True),
    "a star": ("User-agent: *\nDisallow: /*.gif", "/x/y.gif", False),
    "a star in the middle": ("User-agent: *\nDisallow: /a*/c", "/a/b/c", False),
    "a star of nothing": ("User-agent: *\nDisallow: /a*b", "/ab", False),
    "several stars": ("User-agent: *\nDisallow: /*a*b*c", "/xaxbxc", False),
    "several stars that do not fit": ("User-agent: *\nDisallow: /*a*b*c", "/xcxbxa", True),
    "a dollar": ("User-agent: *\nDisallow: /*.gif$", "/y.gif?x", True),
    "a dollar at the end": ("User-agent: *\nDisallow: /*.gif$", "/y.gif", False),
    "a dollar alone": ("User-agent: *\nDisallow: /$", "/", False),
    "a dollar in the middle is itself": ("User-agent: *\nDisallow: /a$b", "/a$b", False),
    "the query counts": ("User-agent: *\nDisallow: /*?x=", "/a?x=1", False),
    "a percent sign and its character": ("User-agent: *\nDisallow: /%61", "/a", False),
    "a character and its percent sign": ("User-agent: *\nDisallow: /a", "/%61", False),
    "an encoded slash is no slash": ("User-agent: *\nDisallow: /a%2Fb", "/a/b", True),
    "an encoded slash in any case": ("User-agent: *\nDisallow: /a%2fb", "/a%2Fb", False),
    "an encoded slash in the query": ("User-agent: *\nDisallow: /*%2Fb", "/a?to=%2Fb", False),
    "an encoded slash in the query is no slash": ("User-agent: *\nDisallow: /*/b", "/a?to=%2Fb", True),
    "letters of other scripts": ("User-agent: *\nDisallow: /ä", "/%C3%A4", False),
    "an encoded star is itself": ("User-agent: *\nDisallow: /a%2A", "/a*", False),
    "an encoded star is no other": ("User-agent: *\nDisallow: /a%2A", "/ab", True),
    "comments": ("# x\nUser-agent: * # y\nDisallow: /a # z", "/a", False),
    "names in any case": ("USER-AGENT: *\ndisALLOW: /a", "/a", False),
    "blanks around": ("  User-agent  :  *  \n\tDisallow\t:\t/a\t", "/a", False),
    "carriage returns only": ("User-agent: *\rDisallow: /a\r", "/a", False),
    "both line ends": ("User-agent: *\r\nDisallow: /a\r\n", "/a", False),
    "a byte order mark": ("\ufeffUser-agent: *\nDisallow: /a", "/a", False),
    "lines that are nothing": ("User-agent: *\nnonsense\nCrawl-delay: 1\nDisallow: /a", "/a", False),
    "a sitemap does not end a group": ("User-agent: *\nSitemap: http://[/\nDisallow: /a", "/a", False),
    "the last line without its end": ("User-agent: *\nDisallow: /a", "/a", False),
    "a rule without its slash": ("User-agent: *\nDisallow: a", "/a", True),
    "allow all but": ("User-agent: *\nDisallow: /\nAllow: /a$", "/a", True),
    "a page is no robots.txt": ("<html><body>Not found: Disallow: /</body></html>", "/a", True),
}


@pytest.mark.parametrize("what", RULES)
def test_the_rule_that_counts(crawl: Crawler, site: Site, what: str) -> None:
    robots, path, expected = RULES[what]
    assert allowed(crawl, site, robots, path) == expected


def test_bytes_that_are_no_text_do_no_harm(crawl: Crawler, site: Site) -> None:
    assert not allowed(crawl, site, b"\xff\xfe\x00\nUser-agent: *\n\x00\x01\nDisallow: /a\n", "/a")


def test_many_stars_take_no_time(crawl: Crawler, site: Site) -> None:
    """A matcher that tries every way would never end."""
    robots = "User-agent: *\nDisallow: /" + "*a" * 60 + "*b\n"
    assert allowed(crawl, site, robots, "/" + "a" * 2000)


def test_many_rules_and_many_urls_take_no_time(crawl: Crawler, site: Site) -> None:
    rules = "".join(f"Disallow: /*x{number}*y\n" for number in range(20_000))
    site.robots(f"User-agent: *\n{rules}")
    site.put("/", page(*(f"/{'ab' * 100}{number}" for number in range(300))))
    assert len(crawl(site.url()).records) == 301


def test_it_is_decoded(crawl: Crawler, site: Site) -> None:
    site.put("/robots.txt", Answer(b"User-agent: *\nDisallow: /a\n", "text/plain", coding="gzip"))
    assert crawl(site.url("/a")).record(site.url("/a"))["error"] == "robots"
