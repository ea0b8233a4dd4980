"""Options that choose how much is fetched, and how the requests look; and what is no good input."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from testing.crawl.crawling import Crawler
from testing.crawl.web.answer import Answer, Framing, redirect, text
from testing.crawl.web.log import most_at_once
from testing.crawl.web.pages import page
from testing.crawl.web.server import Request, Site, Web


def calendar(request: Request) -> Answer:
    """A page for each day, which links the next one, for ever."""
    day = int(request.target.rsplit("=", 1)[1])
    return page(f"/?day={day + 1}")


def chain(site: Site, length: int) -> None:
    for number in range(length):
        site.put(f"/{number}", page(f"/{number + 1}"))


def test_max_depth_counts_links(crawl: Crawler, site: Site) -> None:
    chain(site, 10)
    done = crawl("--max-depth", "3", site.url("/0"))
    assert {url: record["depth"] for url, record in done.by_url.items()} == {
        site.url(f"/{number}"): number for number in range(4)
    }


def test_max_depth_of_nothing_fetches_the_given_urls_only(crawl: Crawler, site: Site) -> None:
    chain(site, 3)
    assert crawl("--max-depth", "0", site.url("/0"), site.url("/2")).urls == {site.url("/0"), site.url("/2")}


def test_max_pages_ends_an_endless_calendar(crawl: Crawler, web: Web, site: Site) -> None:
    site.otherwise = calendar
    site.robots("User-agent: *\nAllow: /")
    done = crawl("--max-pages", "25", site.url("/?day=1"))
    assert len(done.records) == 25
    assert len(web.log.pages()) == 25


def test_max_pages_holds_with_many_requests_at_once(crawl: Crawler, web: Web) -> None:
    sites = [web.site() for _ in range(3)]
    for site in sites:
        site.put("/", page(*(f"/{number}" for number in range(100))))
    done = crawl("--max-pages", "50", "--rate", "0", "--workers", "2", *(site.url() for site in sites))
    assert len(done.records) == 50


def test_one_connection_is_enough(crawl: Crawler, web: Web) -> None:
    """Whatever is asked for on the way to a page, such as robots.txt, its redirects and sitemaps."""
    sites = [web.site() for _ in range(4)]
    for number, site in enumerate(sites):
        site.put("/robots.txt", redirect(sites[(number + 1) % 4].url("/rules")))
        site.put("/rules", text(f"Sitemap: {site.url('/map.xml')}"))
        site.put("/", page("/moved"))
        site.put("/moved", redirect("/there"))
    done = crawl("--connections", "1", "--rate", "0", *(site.url() for site in sites))
    assert done.urls == {site.url(path) for site in sites for path in ("/", "/moved", "/there")}
    assert most_at_once(web.log.all()) == 1


def test_max_bytes_is_the_most_that_a_body_may_have(crawl: Crawler, site: Site) -> None:
    site.put("/", page("/fits", "/does-not"))
    site.put("/fits", Answer(b"x" * 5000, "text/plain"))
    site.put("/does-not", Answer(b"x" * 5001, "text/plain"))
    done = crawl("--max-bytes", "5000", site.url())
    assert (done.record(site.url("/fits"))["error"], done.record(site.url("/fits"))["bytes"]) == (None, 5000)
    too_large = done.record(site.url("/does-not"))
    assert (too_large["error"], too_large["status"]) == ("too_large", 200)


@pytest.mark.parametrize("framing", ["chunked", "close"])
def test_max_bytes_holds_where_no_length_is_said(crawl: Crawler, site: Site, framing: Framing) -> None:
    site.put("/", Answer(b"x" * 50_000, "text/plain", framing=framing))
    assert crawl("--max-bytes", "5000", site.url()).record(site.url())["error"] == "too_large"


def test_max_bytes_counts_the_decoded_body(crawl: Crawler, site: Site) -> None:
    site.put("/", Answer(b"x" * 50_000, "text/plain", coding="gzip"))
    assert crawl("--max-bytes", "5000", site.url()).record(site.url())["error"] == "too_large"
    assert crawl("--max-bytes", "50000", site.url()).record(site.url())["error"] is None


def test_max_time_ends_the_crawl_with_code_0(crawl: Crawler, site: Site) -> None:
    site.otherwise = calendar
    site.robots("")
    site.delay_s = 0.02
    before = time.monotonic()
    done = crawl("--max-time", "2", site.url("/?day=1"))
    assert 1.5 <= time.monotonic() - before < 6
    assert len(done.records) > 10


def test_timeout_ends_a_request_that_is_not_answered(crawl: Crawler, site: Site) -> None:
    site.put("/", Answer(b"late", delay_s=30))
    record = crawl("--timeout", "1", site.url()).record(site.url())
    assert (record["status"], record["error"]) == (0, "timeout")


def test_connections_are_the_most_requests_at_once(crawl: Crawler, web: Web, site: Site) -> None:
    site.put("/", page(*(f"/{number}" for number in range(60))))
    for number in range(60):
        site.put(f"/{number}", Answer(b"x", delay_s=0.05))
    crawl("--connections", "4", "--rate", "0", site.url())
    assert most_at_once(web.log.all()) == 4


def test_workers_do_not_change_what_is_found(crawl: Crawler, web: Web) -> None:
    sites = [web.site() for _ in range(4)]
    for site in sites:
        chain(site, 20)
    expected = {site.url(f"/{number}") for site in sites for number in range(21)}
    for workers in ("1", "2", "4"):
        crawl.results = crawl.folder / f"results.{workers}"
        assert crawl("--workers", workers, *(site.url("/0") for site in sites)).urls == expected


def test_include_searches_the_url_and_spares_the_given_ones(crawl: Crawler, web: Web, site: Site) -> None:
    site.put("/", page("/in/a", "/out/b", "/deep/in/c?d"))
    site.put("/in/a", page("/in/d", "/e"))
    done = crawl("--include", "/in/[a-c]", site.url())
    assert done.urls == {site.url(path) for path in ("/", "/in/a", "/deep/in/c?d")}
    assert set(web.log.urls()) == done.urls


def test_exclude_searches_the_url_and_spares_the_given_ones(crawl: Crawler, site: Site) -> None:
    site.put("/", page("/a", "/b", "/a?sort=1"))
    done = crawl("--exclude", r"[?]sort=|b$|/$", site.url())
    assert done.urls == {site.url("/"), site.url("/a")}


def test_include_and_exclude_see_the_normal_url(crawl: Crawler, site: Site) -> None:
    site.put("/", page("/x/../keep/a", "/x/./drop/./b"))
    done = crawl("--include", ":[0-9]+/keep/a$", "--exclude", "/x/", site.url())
    assert done.urls == {site.url("/"), site.url("/keep/a")}


def test_exclude_wins_over_include(crawl: Crawler, site: Site) -> None:
    site.put("/", page("/a1", "/a2"))
    assert crawl("--include", "a", "--exclude", "2$", site.url()).urls == {site.url("/"), site.url("/a1")}


def test_the_user_agent_is_heddle_unless_said(crawl: Crawler, web: Web, site: Site) -> None:
    crawl(site.url())
    assert all("heddle" in one.headers["user-agent"].lower() for one in web.log.all())
    crawl("--user-agent", "Mozilla/5.0 (test)", site.url())
    assert web.log.all()[-1].headers["user-agent"] == "Mozilla/5.0 (test)"


def test_headers_are_sent_with_every_request(crawl: Crawler, web: Web, site: Site) -> None:
    site.put("/", page("/a"))
    crawl("--header", "X-Token: a: b", "--header", "Accept-Language: eo", site.url())
    for one in web.log.pages():
        assert (one.headers["x-token"], one.headers["accept-language"]) == ("a: b", "eo")


def test_requests_carry_the_host_with_its_port(crawl: Crawler, web: Web, site: Site) -> None:
    crawl(site.url())
    assert {one.headers["host"] for one in web.log.all()} == {f"{site.address}:{site.port}"}


def test_errors_without_check_are_code_0(crawl: Crawler, web: Web, site: Site) -> None:
    site.put("/", page("/missing"))
    crawl(site.url(), web.closed(), code=0)


def test_help_names_every_option_and_is_code_0(crawl: Crawler) -> None:
    said = crawl("--help").out
    promised = (
        "--json --max-pages --max-depth --max-bytes --max-time --timeout --rate --connections --workers --include"
        " --exclude --span-hosts --resources --private --no-robots --user-agent --header --cookies --proxy --insecure"
        " --check --warc --state --metrics"
    )
    assert [word for word in promised.split() if not re.search(rf"{word}\b", said)] == []


BAD = {
    "nothing": [],
    "an unknown option": ["--frobnicate", "{url}"],
    "no URL": ["no url at all"],
    "a URL without host": ["http://"],
    "a port that is no number": ["http://127.0.0.1:x/"],
    "a port that is too large": ["http://127.0.0.1:65536/"],
    "an address out of range": ["http://127.0.0.256/"],
    "a pattern for --include that is none": ["--include", "(", "{url}"],
    "a pattern for --exclude that is none": ["--exclude", "[", "{url}"],
    "a depth that is no number": ["--max-depth", "deep", "{url}"],
    "a negative depth": ["--max-depth=-1", "{url}"],
    "a negative number of pages": ["--max-pages=-1", "{url}"],
    "a negative number of bytes": ["--max-bytes=-1", "{url}"],
    "a number that is not decimal": ["--max-pages", "0x10", "{url}"],
    "results and archive in one file": ["--json", "both", "--warc", "./both", "{url}"],
    "results and archive on standard output": ["--json", "-", "--warc", "-", "{url}"],
    "a state without a name": ["--state", "", "{url}"],
    "results without a name": ["--json", "", "{url}"],
    "a negative rate": ["--rate=-1", "{url}"],
    "a rate that is no number": ["--rate", "fast", "{url}"],
    "no connection": ["--connections", "0", "{url}"],
    "a negative timeout": ["--timeout=-5", "{url}"],
    "a header without a colon": ["--header", "nonsense", "{url}"],
    "a header with a line break": ["--header", "X: a\r\nY: b", "{url}"],
    "a user agent with a line break": ["--user-agent", "a\r\nX: b", "{url}"],
    "a file for results in no folder": ["--json", "no/such/folder/file", "{url}"],
    "a file for WARC in no folder": ["--warc", "no/such/folder/file", "{url}"],
    "a proxy that is no URL": ["--proxy", "::", "{url}"],
    "a port for metrics that is too large": ["--metrics", "70000", "{url}"],
    "an option without its value": ["{url}", "--max-depth"],
}


@pytest.mark.parametrize("what", BAD)
def test_bad_input_is_one_line_and_code_2(crawl: Crawler, web: Web, site: Site, what: str) -> None:
    done = crawl(*(word.format(url=site.url()) for word in BAD[what]), code=2)
    assert done.err.count("\n") == 1, done.err
    assert done.err.strip()
    assert web.log.all() == []


def test_a_state_that_is_a_file_is_bad_input(crawl: Crawler, site: Site, tmp_path: Path) -> None:
    (tmp_path / "state").write_text("not a folder")
    assert crawl("--state", str(tmp_path / "state"), site.url(), code=2).err.count("\n") == 1


def test_unknown_schemes_are_not_asked_for(crawl: Crawler, web: Web, site: Site) -> None:
    site.put(
        "/", page("mailto:a@b.test", "javascript:void(0)", "tel:123", "ftp://127.0.0.1/x", "data:text/html,x", "/a")
    )
    done = crawl(site.url())
    assert {url for url in done.urls if url.startswith("http")} == {site.url("/"), site.url("/a")}
    assert all(done.record(url)["error"] == "scheme" for url in done.urls if not url.startswith("http"))
    assert len(web.log.pages()) == 2


def test_a_given_url_of_another_scheme_is_refused(crawl: Crawler, web: Web) -> None:
    """As bad input, or with a record."""
    running = crawl.start("ftp://127.0.0.1/x")
    running.communicate(timeout=30)
    records = crawl.read()
    assert (running.returncode, records) == (2, []) or (running.returncode == 0 and records[0]["error"] == "scheme")
    assert web.log.all() == []


def test_cookies_are_not_kept(crawl: Crawler, web: Web, site: Site) -> None:
    site.put("/", Answer(b"<a href=/a>", headers=(("Set-Cookie", "a=b; Path=/"),)))
    crawl(site.url())
    assert all("cookie" not in one.headers for one in web.log.all())


def test_text_is_not_read_for_links(crawl: Crawler, site: Site) -> None:
    site.put("/", text('<a href="/a">x</a>'))
    assert crawl(site.url()).urls == {site.url()}


def test_a_full_disk_ends_it_with_one_line_and_code_2(crawl: Crawler, site: Site) -> None:
    site.otherwise = calendar
    site.robots("")
    done = crawl("--json", "/dev/full", site.url("/?day=1"), code=2)
    assert done.err.count("\n") == 1, done.err
    assert "/dev/full" in done.err


def test_few_descriptors_cost_time_only(crawl: Crawler, site: Site) -> None:
    for number in range(60):
        site.put(f"/{number}", page(*(f"/{other}" for other in range(60))))
    crawl.before = ["sh", "-c", 'ulimit -n 60; exec "$@"', "sh"]
    done = crawl("--rate", "0", "--connections", "100", site.url("/0"))
    assert {record["error"] for record in done.records} == {None}
    assert len(done.records) == 60
    assert "8 connections, not 100" in done.err
