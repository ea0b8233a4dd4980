"""--proxy: requests go to it, names are its to resolve, and addresses are not checked."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

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


PASSWORDS = {
    "user:secret": "user:secret",
    "user:s%3Acret%40x%25": "user:s:cret@x%",
    "b%C3%BCcher:": "b\u00fccher:",
    "user": "user:",
}


def with_credentials(url: str, credentials: str) -> str:
    return url.replace("://", f"://{credentials}@")


@pytest.mark.parametrize("written", PASSWORDS)
def test_a_proxy_is_told_user_and_password(crawl: Crawler, web: Web, site: Site, written: str) -> None:
    site.put("/", page("/a"))
    proxy = Proxy(web, {"a.test": site}, PASSWORDS[written])
    done = crawl("--proxy", with_credentials(proxy.url, written), "--rate", "0", "http://a.test/")
    assert done.urls == {"http://a.test/", "http://a.test/a"}
    assert done.record("http://a.test/")["status"] == 200


def test_a_wrong_password_is_an_answer_of_the_proxy(crawl: Crawler, web: Web, site: Site) -> None:
    proxy = Proxy(web, {"a.test": site}, "user:secret")
    words = ("--no-robots", "--proxy", with_credentials(proxy.url, "user:other"), "http://a.test/")
    assert crawl(*words).record("http://a.test/")["status"] == 407


def test_a_site_behind_a_tunnel_is_not_told_the_password(crawl: Crawler, web: Web) -> None:
    site = web.site(fault="none")
    site.put("/", page("/a"))
    proxy = Proxy(web, {"b.test:443": site}, "user:secret")
    proxy_url = with_credentials(proxy.url, "user:secret")
    done = crawl("--proxy", proxy_url, "--insecure", "--rate", "0", "https://b.test/")
    assert done.record("https://b.test/")["status"] == 200
    assert len(web.log.all()) == 3
    assert all("proxy-authorization" not in one.headers for one in web.log.all())


def test_a_password_is_kept_nowhere(crawl: Crawler, web: Web, site: Site, tmp_path: Path) -> None:
    site.put("/", page("/a", "http://[", "/b"))
    proxy = Proxy(web, {"a.test": site}, "user:verysecret")
    proxy_url = with_credentials(proxy.url, "user:verysecret")
    warc, state = tmp_path / "site.warc.gz", tmp_path / "state"
    done = crawl("--proxy", proxy_url, "--warc", warc, "--state", state, "--rate", "0", "http://a.test/")
    assert done.record("http://a.test/a")["status"] == 404
    kept = [file.read_bytes() for file in tmp_path.rglob("*") if file.is_file() and file != warc]
    assert len(kept) >= 2
    kept += [gzip.decompress(warc.read_bytes()), done.out.encode(), done.err.encode()]
    for part in kept:
        assert b"verysecret" not in part
        assert b"dXNlcjp2ZXJ5c2VjcmV0" not in part
        assert b"roxy-" not in part


def test_a_proxy_that_is_refused_is_not_printed_with_its_password(crawl: Crawler) -> None:
    for wrong in ("https://user:verysecret@proxy.test:1", "http://user:verysecret@proxy.test:99999"):
        assert "verysecret" not in crawl("--proxy", wrong, "http://a.test/", code=2).err
