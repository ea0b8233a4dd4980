"""--cookies: each is sent to the host that set it, and to no other."""

from __future__ import annotations

from testing.crawl.crawling import Crawler
from testing.crawl.web.answer import Answer, redirect
from testing.crawl.web.pages import page
from testing.crawl.web.server import Request, Site, Web

SET = (("Set-Cookie", "visit=17; Path=/"), ("Set-Cookie", "deep=1; Path=/deep"), ("Set-Cookie", "gone=1; Max-Age=0"))


def with_cookies(site: Site) -> None:
    linked = page("/a", "/deep/b")
    site.put("/", Answer(linked.body, headers=SET))
    site.put("/a", page())
    site.put("/deep/b", page())


def cookies_at(web: Web, url: str) -> list[str | None]:
    return [one.headers.get("cookie") for one in web.log.of(url)]


def test_none_are_kept_unless_asked_for(crawl: Crawler, web: Web, site: Site) -> None:
    with_cookies(site)
    assert len(crawl(site.url()).urls) == 3
    assert [one for one in web.log.all() if "cookie" in one.headers] == []


def test_they_go_where_their_path_leads(crawl: Crawler, web: Web, site: Site) -> None:
    with_cookies(site)
    assert len(crawl("--cookies", site.url()).urls) == 3
    assert cookies_at(web, site.url()) == [None]
    assert cookies_at(web, site.url("/a")) == ["visit=17"]
    assert cookies_at(web, site.url("/deep/b")) == ["deep=1; visit=17"]


def test_they_stay_with_their_host(crawl: Crawler, web: Web, site: Site) -> None:
    other = web.site()  # at another address: ports of one host share cookies
    other.put("/", page())
    linked = page("/a", other.url())
    site.put("/", Answer(linked.body, headers=SET))
    crawl("--cookies", "--span-hosts", site.url(), other.url())
    assert cookies_at(web, site.url("/a")) == ["visit=17"]
    assert cookies_at(web, other.url()) == [None]


def test_a_header_of_ones_own_stands_for_them(crawl: Crawler, web: Web, site: Site) -> None:
    with_cookies(site)
    crawl("--cookies", "--header", "Cookie: own=1", site.url())
    assert {cookie for url in ("/", "/a", "/deep/b") for cookie in cookies_at(web, site.url(url))} == {"own=1"}


def test_a_page_behind_a_login_by_redirect_is_reached(crawl: Crawler, site: Site) -> None:
    def inside(request: Request) -> Answer:
        return page() if "cookie" in request.headers else redirect("/login")

    login = redirect("/welcome")
    site.put("/", page("/login"))
    site.put("/login", Answer(login.body, status=302, headers=(*login.headers, ("Set-Cookie", "in=1"))))
    site.put("/welcome", inside)
    assert crawl("--cookies", site.url()).record(site.url("/welcome"))["status"] == 200


def test_all_workers_share_them(crawl: Crawler, web: Web, site: Site) -> None:
    names = [f"/p{number}" for number in range(40)]
    linked = page(*names)
    site.put("/", Answer(linked.body, headers=SET))
    for name in names:
        site.put(name, page())
    assert len(crawl("--cookies", "--rate", "0", "--workers", "2", site.url()).urls) == 41
    assert {cookie for name in names for cookie in cookies_at(web, site.url(name))} == {"visit=17"}
