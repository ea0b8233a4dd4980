"""Loopback, private and link-local addresses are refused, unless --private or given by number or as localhost."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from testing.crawl.crawling import Crawler
from testing.crawl.web.answer import redirect, text
from testing.crawl.web.pages import page
from testing.crawl.web.server import Site, Web

# Hosts as a link may write them, without their port.
REFUSED = [
    *("127.0.0.99", "127.1.2.3", "10.1.2.3", "172.16.0.1", "172.31.255.254", "192.168.1.1", "169.254.169.254"),
    *("0.0.0.0", "0.1.2.3", "0", "2130706532", "0x7f.1", "0177.0.0.99"),
    *("[::1]", "[::]", "[fe80::1]", "[fc00::1]", "[fd12:3456::1]", "[::ffff:127.0.0.99]", "[::ffff:7f00:63]"),
    *("[::ffff:10.0.0.1]", "[::ffff:0.0.0.0]", "localhost"),
]


@pytest.mark.parametrize("host", REFUSED)
def test_linked_addresses_of_one_s_own_network_are_refused(crawl: Crawler, web: Web, site: Site, host: str) -> None:
    site.put("/", page(f"http://{host}:{site.port}/x"))
    done = crawl("--span-hosts", "--timeout", "2", site.url())
    assert len(done.records) == 2
    (record,) = (record for record in done.records if record["url"] != site.url())
    assert (record["status"], record["error"]) == (0, "refused_address")
    assert len(web.log.all()) == 2


def test_private_allows_them(crawl: Crawler, web: Web, site: Site) -> None:
    other = web.site()
    other.put("/x", text("there"))
    site.put("/", page(other.url("/x")))
    assert crawl("--span-hosts", "--private", site.url()).record(other.url("/x"))["status"] == 200


def test_a_number_given_allows_that_host_only(crawl: Crawler, web: Web, site: Site) -> None:
    other = web.site()
    site.put("/", page(other.url("/x")))
    assert crawl("--span-hosts", site.url()).record(other.url("/x"))["error"] == "refused_address"
    assert other.origin not in web.log.by_host()


def test_an_address_of_ipv6_may_be_given(crawl: Crawler, web: Web) -> None:
    if not socket.has_ipv6 or not Path("/proc/net/if_inet6").exists():
        pytest.skip("no IPv6 here")
    site = web.site("[::1]")
    site.put("/", page(f"http://[0:0::1]:{site.port}/a"))
    done = crawl(site.url())
    assert done.urls == {site.url(), site.url("/a")}
    assert done.record(site.url())["status"] == 200


def test_localhost_may_be_given(crawl: Crawler, web: Web) -> None:
    site = web.site("localhost")
    site.put("/", text("there"))
    assert crawl(site.url()).record(site.url())["status"] == 200


def test_localhost_may_be_given_with_the_dot_of_the_root(crawl: Crawler, web: Web) -> None:
    site = web.site("localhost")
    url = f"http://localhost.:{site.port}/"
    assert crawl(url).record(url)["status"] == 404


def test_localhost_with_the_dot_of_the_root_is_refused_in_links(crawl: Crawler, web: Web, site: Site) -> None:
    url = f"http://localhost.:{web.site('localhost').port}/"
    site.put("/", page(url))
    assert crawl("--span-hosts", site.url()).record(url)["error"] == "refused_address"


def test_localhost_given_allows_no_number(crawl: Crawler, web: Web) -> None:
    site, other = web.site("localhost"), web.site()
    site.put("/", page(other.url("/x")))
    assert crawl("--span-hosts", site.url()).record(other.url("/x"))["error"] == "refused_address"


def test_a_redirect_leads_to_no_refused_address(crawl: Crawler, web: Web, site: Site) -> None:
    other = web.site()
    site.put("/", redirect(other.url("/secret")))
    assert crawl("--span-hosts", site.url()).record(other.url("/secret"))["error"] == "refused_address"
    assert other.origin not in web.log.by_host()


def test_robots_redirects_lead_to_no_refused_address(crawl: Crawler, web: Web, site: Site) -> None:
    other = web.site()
    site.put("/robots.txt", redirect(other.url("/rules")))
    crawl(site.url())
    assert other.origin not in web.log.by_host()


def test_sitemaps_lead_to_no_refused_address(crawl: Crawler, web: Web, site: Site) -> None:
    other = web.site()
    site.robots(f"Sitemap: {other.url('/map.xml')}")
    crawl("--span-hosts", site.url())
    assert other.origin not in web.log.by_host()


def test_check_looks_at_no_refused_address(crawl: Crawler, web: Web, site: Site) -> None:
    other = web.site()
    site.put("/", page(other.url("/x")))
    assert crawl("--check", site.url(), code=1).record(other.url("/x"))["error"] == "refused_address"
    assert other.origin not in web.log.by_host()


def can_mount() -> bool:
    return os.geteuid() == 0 and bool(shutil.which("unshare")) and not subprocess.call(["unshare", "-m", "true"])


@pytest.fixture
def named(crawl: Crawler, tmp_path: Path) -> Crawler:
    """A crawler that sees names of the tests' own, in a mount namespace with another /etc/hosts."""
    if not can_mount():
        pytest.skip("names of the tests' own need root and a mount namespace")
    hosts = tmp_path / "hosts"
    names = {
        "own.test": "127.0.0.2",
        "inside.test": "10.1.2.3",
        "mapped.test": "::ffff:127.0.0.2",
        "nothing.test": "0.0.0.0",
    }
    names |= {"link.test": "169.254.169.254", "unique.test": "fd00::1"}
    hosts.write_text("127.0.0.1 localhost\n" + "".join(f"{address} {name}\n" for name, address in names.items()))
    script = f'mount --bind "{hosts}" /etc/hosts && exec "$@"'
    crawl.before = ["unshare", "-m", "sh", "-c", script, "sh"]
    return crawl


@pytest.mark.parametrize("name", ["own.test", "inside.test", "mapped.test", "nothing.test", "link.test", "unique.test"])
def test_names_that_resolve_to_such_addresses_are_refused(named: Crawler, web: Web, name: str) -> None:
    site = web.site()
    assert site.address == "127.0.0.2"
    url = f"http://{name}:{site.port}/"
    record = named("--timeout", "2", url).record(url)
    assert (record["status"], record["error"]) == (0, "refused_address")
    assert web.log.all() == []


def test_private_allows_names_that_resolve_to_them(named: Crawler, web: Web) -> None:
    site = web.site()
    url = f"http://own.test:{site.port}/"
    assert named("--private", url).record(url)["status"] == 404
    assert web.log.all()[0].headers["host"] == f"own.test:{site.port}"


def test_a_number_given_does_not_allow_a_name_for_it(named: Crawler, web: Web) -> None:
    site = web.site()
    url = f"http://own.test:{site.port}/"
    site.put("/", page(url))
    assert named("--span-hosts", site.url()).record(url)["error"] == "refused_address"


def test_names_and_numbers_of_one_server_are_two_hosts(named: Crawler, web: Web) -> None:
    site = web.site()
    done = named("--private", site.url("/a"), f"http://own.test:{site.port}/a")
    assert len(done.records) == 2
    assert len(web.log.of(site.url("/robots.txt"))) == 2
