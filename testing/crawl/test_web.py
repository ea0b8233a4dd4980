"""The synthetic web itself: it serves what it says, and knows what it was asked."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import http.client
import socket
import ssl
import time
import urllib.request
import zlib
from collections.abc import Iterator

import brotli
import pytest
import zstandard

from testing.crawl import reference
from testing.crawl.reference import Host, Node, Options
from testing.crawl.web import hostile as bad
from testing.crawl.web import markup
from testing.crawl.web.answer import CODINGS, Answer, Framing, gone, in_chunks, text
from testing.crawl.web.certificates import Authority, Fault
from testing.crawl.web.log import Exchange, gaps, most_at_once
from testing.crawl.web.pages import Page, written
from testing.crawl.web.proxy import Proxy
from testing.crawl.web.random_web import RandomWeb
from testing.crawl.web.server import ByMethod, Site, Turns, Web, hostile


@contextlib.contextmanager
def connected(site: Site) -> Iterator[http.client.HTTPConnection]:
    connection = http.client.HTTPConnection(site.address, site.port, timeout=10)
    yield connection
    connection.close()


def get(site: Site, path: str, method: str = "GET") -> tuple[http.client.HTTPResponse, bytes]:
    with connected(site) as connection:
        connection.request(method, path)
        answer = connection.getresponse()
        return answer, answer.read()


def test_a_connection_serves_several_requests_and_each_is_logged(web: Web, site: Site) -> None:
    site.put("/a", text("one"))
    with connected(site) as connection:
        for _ in range(2):
            connection.request("GET", "/a", headers={"X-Test": "1"})
            assert connection.getresponse().read() == b"one"
    first, second = web.log.of(site.url("/a"))
    assert (first.method, first.host, first.headers["x-test"]) == ("GET", site.origin, "1")
    assert first.connection == second.connection
    assert first.end is not None
    assert first.start <= first.end <= second.start


def test_what_is_not_there_is_404_and_head_has_no_body(site: Site) -> None:
    assert get(site, "/nothing")[0].status == 404
    answer, body = get(site, "/nothing", "HEAD")
    assert (answer.status, body) == (404, b"")


@pytest.mark.parametrize("framing", ["length", "chunked", "close"])
def test_a_body_arrives_in_every_framing(site: Site, framing: Framing) -> None:
    body = bytes(range(256)) * 20
    site.put("/", Answer(body, framing=framing))
    assert get(site, "/")[1] == body


def test_chunks_hold_all_of_the_body() -> None:
    assert in_chunks(b"abcde", 2).startswith(b'0002\r\nab\r\n2;quoted="a;b"\r\ncd\r\n')


def test_codings_can_be_undone(site: Site) -> None:
    unpack = {
        "gzip": gzip.decompress,
        "x-gzip": gzip.decompress,
        "br": brotli.decompress,
        "zstd": lambda packed: zstandard.ZstdDecompressor().decompressobj().decompress(packed),
        "deflate": zlib.decompress,
    }
    for coding in CODINGS:
        site.put("/", Answer(b"x" * 3000, coding=coding))
        answer, body = get(site, "/")
        assert answer.headers["Content-Encoding"] == coding
        assert unpack[coding](body) == b"x" * 3000


def test_answers_may_depend_on_turn_and_method(site: Site) -> None:
    site.put("/turns", Turns(gone(503), text("there")))
    assert [get(site, "/turns")[0].status for _ in range(3)] == [503, 200, 200]
    site.put("/get-only", ByMethod(gone(405), text("there")))
    assert [get(site, "/get-only", method)[0].status for method in ("HEAD", "GET")] == [405, 200]


@pytest.mark.parametrize("fault", ["none", "expired", "wrong name", "self-signed"])
def test_a_client_that_verifies_notices_bad_certificates(web: Web, authority: Authority, fault: Fault) -> None:
    site = web.site(fault=fault)
    site.put("/", text("secret"))
    trusting = ssl.create_default_context(cafile=str(authority.certificate))
    if fault == "none":
        with urllib.request.urlopen(site.url("/"), context=trusting, timeout=10) as answer:
            assert answer.read() == b"secret"
    else:
        with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):
            urllib.request.urlopen(site.url("/"), context=trusting, timeout=10)
    blind = ssl._create_unverified_context()
    with urllib.request.urlopen(site.url("/"), context=blind, timeout=10) as answer:
        assert answer.read() == b"secret"


def test_plain_text_on_a_tls_port_is_no_tls(web: Web) -> None:
    site = web.site(fault="plain text")
    with pytest.raises(OSError, match=r"WRONG_VERSION|RECORD|ended|closed|EOF"):
        urllib.request.urlopen(site.url("/"), context=ssl._create_unverified_context(), timeout=10)


def test_hostile_answers_arrive_as_written(site: Site) -> None:
    site.put("/reset", hostile(bad.reset_in_the_body))
    with pytest.raises(ConnectionResetError):
        get(site, "/reset")
    site.put("/short", hostile(bad.short_body))
    with pytest.raises(http.client.IncompleteRead):
        get(site, "/short")
    site.put("/silent", hostile(bad.silent))
    with socket.create_connection((site.address, site.port)) as connection:
        connection.sendall(b"GET /silent HTTP/1.1\r\n\r\n")
        connection.settimeout(0.2)
        with pytest.raises(TimeoutError):
            connection.recv(1)


def test_a_bomb_is_small_and_unpacks_to_its_size() -> None:
    packed = bad.gzip_bomb(4 << 20)
    assert len(packed) < 10_000
    assert gzip.decompress(packed) == b" " * (4 << 20)


def test_a_proxy_answers_for_its_names(web: Web, site: Site) -> None:
    site.put("/x", text("by name"))
    proxy = Proxy(web, {"a.test": site})
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": proxy.url}))
    with opener.open("http://a.test/x", timeout=10) as answer:
        assert answer.read() == b"by name"
    assert proxy.asked == ["GET http://a.test/x HTTP/1.1"]
    assert web.log.all()[-1].url == "http://a.test/x"


def test_the_log_tells_gaps_and_what_was_under_way_at_once() -> None:
    def exchange(start: float, end: float) -> Exchange:
        return Exchange("u", "h", "GET", {}, 1, start, end)

    two = [exchange(0, 2), exchange(1, 3), exchange(3, 4)]
    assert gaps(two) == [1, 2]
    assert most_at_once(two) == 2
    assert most_at_once([exchange(0, 1), exchange(1, 2)]) == 1


def test_every_way_to_write_a_link_has_a_name_of_its_own() -> None:
    ways = [*markup.PAGES, *markup.NOFOLLOW, *markup.RESOURCES, *markup.NONE, markup.CDATA, markup.CDATA_IN_HTML]
    assert len({way.name for way in ways}) == len(ways)
    assert all("{}" in way.markup for way in ways)
    made = Page(tuple(written(ways))).text()
    assert all(f"/target-{number}" in made for number in range(len(ways)))


def test_a_random_web_is_the_same_for_the_same_seed(web: Web) -> None:
    def shape(made: RandomWeb) -> str:
        nodes = [(url, node.status, node.links) for host in made.world.values() for url, node in host.nodes.items()]
        words = str(nodes)
        for number, site in enumerate(made.sites):
            words = words.replace(site.origin, f"site{number}")
        return hashlib.sha256(words.encode()).hexdigest()

    first, second, other = (shape(RandomWeb(web, seed)) for seed in (1, 1, 2))
    assert first == second != other


def test_a_random_web_serves_what_it_knows(web: Web) -> None:
    made = RandomWeb(web, 3, delay_s=0)
    for site in made.sites:
        for url, node in made.world[site.origin].nodes.items():
            path = url.removeprefix(site.origin)
            answer, body = get(site, path)
            if answer.status == 500:
                answer, body = get(site, path)
            assert answer.status == node.status
            assert answer.headers["Location"] == node.redirect
            if answer.headers["Content-Encoding"] is None:
                assert body == node.body


def test_the_reference_takes_the_least_depth_and_follows_what_may_be_followed() -> None:
    def linked(*targets: str) -> Node:
        return Node(links=tuple((f"http://1.2.3.4/{target}", "page") for target in targets))

    there = {"": linked("a", "r"), "a": linked("b"), "b": linked("c"), "c": Node(), "r": Node(302, redirect="")}
    there["r"] = Node(302, redirect="http://1.2.3.4/c")
    world = {"http://1.2.3.4": Host({f"http://1.2.3.4/{path}": node for path, node in there.items()})}
    found = reference.crawl(world, Options(), ["http://1.2.3.4/"])
    assert {url[-1]: one.depth for url, one in found.items()} == {"/": 0, "a": 1, "r": 1, "b": 2, "c": 1}
    assert found["http://1.2.3.4/c"].referrers >= {"http://1.2.3.4/b", "http://1.2.3.4/r"}
    shallow = reference.crawl(world, Options(max_depth=1), ["http://1.2.3.4/"])
    assert {url[-1] for url in shallow} == {"/", "a", "r", "c"}


def test_the_reference_asks_robots_and_leaves_nofollow_and_resources() -> None:
    here = "http://1.2.3.4/"
    links = tuple((here + kind, kind) for kind in ("page", "nofollow", "resource", "none"))
    world = {"http://1.2.3.4": Host({here: Node(links=links)}, allows=lambda url: not url.endswith("page"))}

    def urls(**chosen: bool) -> set[str]:
        return {url.removeprefix(here) for url in reference.crawl(world, Options(**chosen), [here])}

    assert urls() == {"", "page"}
    assert urls(resources=True) == {"", "page", "resource"}
    assert urls(check=True) == {"", "page", "resource", "nofollow"}
    refused = reference.crawl(world, Options(), [here])[here + "page"]
    assert (refused.error, refused.asked) == ("robots", False)


def test_delays_hold_back_the_answer(site: Site) -> None:
    site.put("/", Answer(b"late", delay_s=0.1))
    before = time.monotonic()
    get(site, "/")
    assert time.monotonic() - before >= 0.1
