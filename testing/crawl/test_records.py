"""The JSON Lines: one record for each URL that was asked for or refused, with these members of these types."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from testing.crawl.crawling import ERRORS, FIELDS, Crawler, Record
from testing.crawl.web.answer import CODINGS, Answer, gone, redirect, text
from testing.crawl.web.pages import page
from testing.crawl.web.server import Site, Web

HEXADECIMAL = set("0123456789abcdef")


def assert_well_formed(record: Record) -> None:
    assert set(FIELDS) <= record.keys(), sorted(set(FIELDS) - record.keys())
    for name in ("status", "depth", "bytes", "links", "attempts"):
        assert type(record[name]) is int, (name, record)
        assert record[name] >= 0, (name, record)
    assert type(record["ms"]) in (int, float), record
    assert record["ms"] >= 0, record
    assert type(record["url"]) is str, record
    assert record["error"] is None or record["error"] in ERRORS, record
    for name in ("referrer", "redirect", "type", "sha256"):
        assert record[name] is None or type(record[name]) is str, (name, record)
    if record["sha256"]:
        assert len(record["sha256"]) == 64, record
        assert set(record["sha256"]) <= HEXADECIMAL, record


def test_every_record_has_all_members_with_their_types(crawl: Crawler, web: Web, site: Site) -> None:
    site.put("/", page("/a", "/missing", "/moved", "/disallowed", "/text", "/empty"))
    site.put("/a", page())
    site.put("/moved", redirect("/a"))
    site.put("/text", text("words"))
    site.put("/empty", Answer(b"", None))
    site.robots("User-agent: *\nDisallow: /disallowed")
    done = crawl(site.url(), web.closed())
    for record in done.records:
        assert_well_formed(record)
    assert done.urls >= {site.url(path) for path in ("/", "/a", "/missing", "/moved", "/disallowed", "/text", "/empty")}


def test_a_page_is_described(crawl: Crawler, site: Site) -> None:
    answer = page("/a", "/b", "/a#x", "/b?y")
    site.put("/", answer)
    record = crawl("--max-depth", "0", site.url()).record(site.url())
    assert record["status"] == 200
    assert record["error"] is None
    assert record["depth"] == 0
    assert not record["referrer"]
    assert record["type"] == "text/html"
    assert record["bytes"] == len(answer.body)
    assert record["sha256"] == hashlib.sha256(answer.body).hexdigest()
    assert record["redirect"] is None
    assert record["links"] == 3
    assert record["attempts"] == 1


@pytest.mark.parametrize("coding", sorted(CODINGS))
def test_size_and_digest_are_of_the_decoded_body(crawl: Crawler, site: Site, coding: str) -> None:
    body = b"<p>" + b"words " * 10_000
    site.put("/", Answer(body, coding=coding))
    record = crawl(site.url()).record(site.url())
    assert (record["bytes"], record["sha256"]) == (len(body), hashlib.sha256(body).hexdigest())


def test_the_media_type_stands_without_parameters(crawl: Crawler, site: Site) -> None:
    site.put("/", Answer(b"x", "text/plain; charset=utf-8; x=y"))
    assert crawl(site.url()).record(site.url())["type"] == "text/plain"


@pytest.mark.parametrize(
    "odd", ['text/"x', "text/\\x", "te\x7fxt/x", "\xff\xfe/\xe4", "x" * 5000, "/", ";", "text/html, a/b"]
)
def test_odd_media_types_are_still_json(crawl: Crawler, site: Site, odd: str) -> None:
    site.put("/", Answer(b"x", odd))
    assert_well_formed(crawl(site.url()).record(site.url()))


def test_results_that_cannot_be_written_are_no_success(crawl: Crawler, site: Site) -> None:
    running = crawl.start("--json", "/dev/full", site.url())
    _, err = running.communicate(timeout=30)
    assert running.returncode != 0
    assert err.strip()


def test_the_referrer_is_a_page_that_links(crawl: Crawler, site: Site) -> None:
    site.put("/", page("/a"))
    site.put("/a", page("/b"))
    done = crawl(site.url())
    assert done.record(site.url("/a"))["referrer"] == site.url("/")
    assert done.record(site.url("/b"))["referrer"] == site.url("/a")


def test_a_redirect_names_its_target_in_full(crawl: Crawler, site: Site) -> None:
    site.put("/x/", redirect("../y#part"))
    done = crawl(site.url("/x/"))
    record = done.record(site.url("/x/"))
    assert (record["status"], record["error"]) == (302, None)
    assert record["redirect"].split("#")[0] == site.url("/y")
    assert done.record(site.url("/y"))["status"] == 404


def test_ms_is_about_as_long_as_the_answer_took(crawl: Crawler, site: Site) -> None:
    site.put("/", Answer(b"x", delay_s=0.3))
    assert 290 <= crawl(site.url()).record(site.url())["ms"] < 2000


def test_results_go_to_standard_output_for_a_dash(crawl: Crawler, site: Site) -> None:
    site.put("/", page("/a"))
    done = crawl("--json", "-", site.url())
    records = [json.loads(line) for line in done.out.splitlines()]
    assert {record["url"] for record in records} == {site.url("/"), site.url("/a")}


def test_it_runs_without_json(crawl: Crawler, site: Site, tmp_path: Path) -> None:
    site.put("/", gone(200))
    crawl.results = tmp_path / "unused"
    running = crawl.start("--json", "/dev/null", site.url())
    assert running.wait(timeout=30) == 0
    running.communicate()


def test_robots_and_sitemaps_have_no_record(crawl: Crawler, site: Site) -> None:
    site.put("/", page())
    site.put("/map.xml", text(f"<urlset><url><loc>{site.url('/a')}</loc></url></urlset>", "application/xml"))
    site.robots(f"Sitemap: {site.url('/map.xml')}")
    assert crawl(site.url()).urls == {site.url("/"), site.url("/a")}


def test_urls_out_of_scope_or_too_deep_have_no_record(crawl: Crawler, web: Web, site: Site) -> None:
    other = web.site()
    site.put("/", page("/a", other.url()))
    site.put("/a", page("/b"))
    assert crawl("--max-depth", "1", site.url()).urls == {site.url("/"), site.url("/a")}
    assert web.log.of(site.url("/b")) == []
    assert other.origin not in web.log.by_host()


def test_each_url_has_one_record_however_often_it_is_linked(crawl: Crawler, web: Web, site: Site) -> None:
    site.put("/", page("/", "/a", "/a", "/b"))
    site.put("/a", page("/", "/b"))
    site.put("/b", page("/a", "/b"))
    done = crawl(site.url(), site.url())
    assert len(done.records) == 3
    assert set(web.log.counts().values()) == {1}
