"""--proxy: requests go to it, names are its to resolve, and addresses are not checked."""

from __future__ import annotations

from testing.crawl.crawling import Crawler
from testing.crawl.web.answer import text
from testing.crawl.web.pages import page
from testing.crawl.web.proxy import Proxy
from testing.crawl.web.server import Site, Web


def test_requests_go_to_the_proxy_in_absolute_form(crawl: Crawler, web: Web, site: Site) -> None:
    site.put("/", page("/a"))
    proxy = Proxy(web, {"a.test": site})
    done = crawl("--proxy", proxy.url, "--rate", "0", "http://a.test/")
    assert done.urls == {"http://a.test/", "http://a.test/a"}
    assert done.record("http://a.test/")["status"] == 200
    assert {one.url for one in web.log.all()} == {"http://a.test/robots.txt", "http://a.test/", "http://a.test/a"}
    assert {one.headers["host"] for one in web.log.all()} == {"a.test"}


def test_tls_goes_through_a_tunnel(crawl: Crawler, web: Web) -> None:
    site = web.site(fault="none")
    site.put("/", text("secret"))
    proxy = Proxy(web, {"b.test:443": site})
    done = crawl("--proxy", proxy.url, "--insecure", "--rate", "0", "https://b.test/")
    assert done.record("https://b.test/")["status"] == 200
    assert proxy.asked
    assert set(proxy.asked) == {"CONNECT b.test:443 HTTP/1.1"}


def test_several_hosts_by_one_proxy(crawl: Crawler, web: Web) -> None:
    first, second = web.site(), web.site()
    first.put("/", page("http://b.test/x"))
    second.put("/x", text("there"))
    proxy = Proxy(web, {"a.test": first, "b.test": second})
    done = crawl("--proxy", proxy.url, "--span-hosts", "--rate", "0", "http://a.test/")
    assert done.record("http://b.test/x")["bytes"] == 5


def test_names_of_other_scripts_are_asked_for_in_ascii(crawl: Crawler, web: Web, site: Site) -> None:
    site.put("/", page("http://B\u00dcCHER.test/x"))
    proxy = Proxy(web, {"a.test": site, "xn--bcher-kva.test": site})
    done = crawl("--proxy", proxy.url, "--span-hosts", "--rate", "0", "http://a.test/")
    assert done.record("http://xn--bcher-kva.test/x")["status"] == 404


def test_addresses_are_not_checked(crawl: Crawler, web: Web, site: Site) -> None:
    site.put("/", page("http://10.1.2.3/x", "http://localhost/y"))
    proxy = Proxy(web, {"a.test": site, "10.1.2.3": site, "localhost": site})
    done = crawl("--proxy", proxy.url, "--span-hosts", "--rate", "0", "http://a.test/")
    assert done.record("http://10.1.2.3/x")["status"] == 404
    assert done.record("http://localhost/y")["status"] == 404


def test_a_proxy_that_is_not_there_is_an_error_of_the_url(crawl: Crawler, web: Web) -> None:
    record = crawl("--proxy", web.closed(), "http://a.test/").record("http://a.test/")
    assert (record["status"], record["error"]) == (0, "connect")


def test_a_tunnel_that_is_refused_is_an_error(crawl: Crawler, web: Web) -> None:
    proxy = Proxy(web, {})
    record = crawl("--proxy", proxy.url, "https://a.test/").record("https://a.test/")
    assert record["status"] == 0
    assert record["error"] is not None
