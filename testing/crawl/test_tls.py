"""TLS: certificates are verified unless --insecure; what fails has the error tls."""

from __future__ import annotations

import pytest

from testing.crawl.crawling import Crawler
from testing.crawl.web.answer import text
from testing.crawl.web.certificates import Authority, Fault
from testing.crawl.web.pages import page
from testing.crawl.web.server import Web


@pytest.fixture
def trusting(crawl: Crawler, authority: Authority) -> Crawler:
    """One that trusts the tests' authority."""
    crawl.environment["SSL_CERT_FILE"] = str(authority.certificate)
    return crawl


def test_a_good_certificate_is_accepted(trusting: Crawler, web: Web) -> None:
    site = web.site(fault="none")
    site.put("/", page("/a"))
    done = trusting(site.url())
    assert done.urls == {site.url(), site.url("/a")}
    assert done.record(site.url())["status"] == 200


def test_a_good_certificate_of_a_name_is_accepted(trusting: Crawler, web: Web) -> None:
    site = web.site("localhost", fault="none")
    site.put("/", text("x"))
    assert trusting(site.url()).record(site.url())["status"] == 200


@pytest.mark.parametrize("fault", ["expired", "wrong name", "self-signed", "plain text"])
def test_a_bad_one_is_the_error_tls(trusting: Crawler, web: Web, fault: Fault) -> None:
    site = web.site(fault=fault)
    site.put("/", text("x"))
    record = trusting(site.url()).record(site.url())
    assert (record["status"], record["error"]) == (0, "tls")
    assert web.log.all() == []


@pytest.mark.parametrize("fault", ["none", "expired", "wrong name", "self-signed"])
def test_insecure_accepts_any(crawl: Crawler, web: Web, fault: Fault) -> None:
    site = web.site(fault=fault)
    site.put("/", text("x"))
    assert crawl("--insecure", site.url()).record(site.url())["status"] == 200


def test_insecure_makes_no_tls_of_plain_text(crawl: Crawler, web: Web) -> None:
    site = web.site(fault="plain text")
    assert crawl("--insecure", site.url()).record(site.url())["error"] == "tls"


def test_an_unknown_authority_is_the_error_tls(crawl: Crawler, web: Web) -> None:
    site = web.site(fault="none")
    assert crawl(site.url()).record(site.url())["error"] == "tls"


def test_connections_over_tls_are_used_again(crawl: Crawler, web: Web) -> None:
    site = web.site(fault="none")
    site.put("/", page(*(f"/{number}" for number in range(20))))
    assert len(crawl("--insecure", site.url()).records) == 21
    assert len({one.connection for one in web.log.all()}) <= 3
