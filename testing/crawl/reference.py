"""What a crawl is to find, worked out from what is known of the web by the words of the contract.

Depth is the least number of links, so this goes on until no depth gets less; it knows nothing of time, connections or
retries. Where the contract leaves something open, an `Expected` allows both.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from testing.crawl.web.markup import Kind

Record = dict[str, Any]


@dataclass(frozen=True)
class Node:
    """What a URL has. `links` are (target, kind)."""

    status: int = 200
    type: str = "text/html"
    body: bytes = b""
    links: tuple[tuple[str, Kind], ...] = ()
    redirect: str | None = None
    error: str | None = None


@dataclass
class Host:
    """Scheme, address and port. `error` is that of every URL there, as it follows from robots.txt."""

    nodes: dict[str, Node] = field(default_factory=dict)
    allows: Callable[[str], bool] = lambda _url: True
    sitemap: tuple[str, ...] = ()
    error: str | None = None


World = dict[str, Host]


@dataclass(frozen=True)
class Options:
    max_depth: int | None = None
    span_hosts: bool = False
    resources: bool = False
    check: bool = False
    private: bool = False
    no_robots: bool = False
    include: str | None = None
    exclude: str | None = None

    def words(self) -> list[str]:
        """As on the command line."""
        found = [f"--{name.replace('_', '-')}" for name, value in vars(self).items() if value is True]
        values = {"--max-depth": self.max_depth, "--include": self.include, "--exclude": self.exclude}
        return [*found, *(word for name, value in values.items() if value is not None for word in (name, str(value)))]


class Reach(IntEnum):
    """How it is linked, at best."""

    LOOKED_AT = 0  # by --check only, with HEAD
    FETCHED = 1  # as a resource
    FOLLOWED = 2


@dataclass
class Expected:
    depth: int
    node: Node
    error: str | None
    asked: bool
    reach: Reach
    referrers: set[str] = field(default_factory=set)

    def differences(self, record: Record) -> list[str]:
        """What the record says otherwise, in words."""
        expected: Record = {"depth": self.depth, "error": self.error, "status": self.node.status if self.asked else 0}
        if self.asked:
            expected["redirect"] = self.node.redirect
        if self.asked and self.reach and not self.node.redirect:
            expected |= {"type": self.node.type, "bytes": len(self.node.body)}
            expected["sha256"] = hashlib.sha256(self.node.body).hexdigest()
        said = [
            f"{name} is {record[name]!r}, not {value!r}" for name, value in expected.items() if record[name] != value
        ]
        # Pages of depth 0 are given, or named by a sitemap, which may count as their referrer.
        if self.referrers and self.depth > 0 and record["referrer"] not in self.referrers:
            said.append(f"referrer is {record['referrer']!r}, not one of {sorted(self.referrers)}")
        if self.asked and self.reach and not self.node.redirect:
            least = len({target for target, kind in self.node.links if kind == "page" and self.reach == Reach.FOLLOWED})
            most = len({target for target, kind in self.node.links if kind != "none"})
            if not least <= record["links"] <= most:
                said.append(f"links is {record['links']}, not from {least} to {most}")
        return said


def crawl(world: World, options: Options, given: Iterable[str], loose: bool = False) -> dict[str, Expected]:
    """`loose`: what the contract leaves open happens: redirects of what --check only looks at are followed, and links
    of documents that are linked as resources only.
    """
    return _Crawl(world, options, tuple(given), loose).run()


class _Crawl:
    def __init__(self, world: World, options: Options, given: tuple[str, ...], loose: bool) -> None:
        self._world, self._options, self._given, self._loose = world, options, given, loose
        self._origins = {origin(url) for url in given}
        self._found: dict[str, Expected] = {}
        self._referrers: dict[str, set[str]] = {}
        self._due: list[str] = []

    def run(self) -> dict[str, Expected]:
        for url in self._given:
            self._reach(url, 0, Reach.FOLLOWED)
        while self._due:
            self._visit(self._due.pop())
        for url, expected in self._found.items():
            expected.referrers = self._referrers.get(url, set())
        return self._found

    def _reach(self, url: str, depth: int, reach: Reach, referrer: str | None = None) -> None:
        """It is linked, or redirected to, at this depth: noted if it is new, less deep, or better linked."""
        if not (self._wanted(url) if reach == Reach.LOOKED_AT else self._in_scope(url)):
            return
        if self._options.max_depth is not None and depth > self._options.max_depth:
            return
        if referrer:
            self._referrers.setdefault(url, set()).add(referrer)
        known = self._found.get(url)
        if known and known.depth <= depth and known.reach >= reach:
            return
        error, asked = self._fate(url)
        best = max(reach, known.reach) if known else reach
        node = self._world[origin(url)].nodes.get(url, Node(404, "text/plain", b"status 404"))
        least = min(depth, known.depth) if known else depth
        self._found[url] = Expected(least, node, error or node.error, asked, best)
        self._due.append(url)

    def _visit(self, url: str) -> None:
        found = self._found[url]
        host = self._world[origin(url)]
        if found.error != "refused_address" and not self._options.no_robots and found.reach:
            for page in host.sitemap:
                self._reach(page, 0, Reach.FOLLOWED)
        if not found.asked or found.error:
            return
        if found.node.redirect and (found.reach or self._loose):
            reach = Reach.FOLLOWED if self._loose else found.reach
            self._reach(found.node.redirect, found.depth, reach, referrer=url)
            for referrer in self._referrers.get(url, ()):
                self._referrers.setdefault(found.node.redirect, set()).add(referrer)
        if found.reach < (Reach.FETCHED if self._loose else Reach.FOLLOWED):
            return
        for target, kind in found.node.links:
            if kind == "page" and self._in_scope(target):
                self._reach(target, found.depth + 1, Reach.FOLLOWED, referrer=url)
            elif kind == "resource" and self._options.resources:
                self._reach(target, found.depth + 1, Reach.FETCHED, referrer=url)
            elif kind != "none" and self._options.check:
                self._reach(target, found.depth + 1, Reach.LOOKED_AT, referrer=url)

    def _in_scope(self, url: str) -> bool:
        return self._wanted(url) and (self._options.span_hosts or origin(url) in self._origins)

    def _wanted(self, url: str) -> bool:
        """By --include and --exclude; what is only looked at needs no more."""
        if url in self._given:
            return True
        include, exclude = self._options.include, self._options.exclude
        return not ((include and not re.search(include, url)) or (exclude and re.search(exclude, url)))

    def _fate(self, url: str) -> tuple[str | None, bool]:
        """The error that it has without being asked for, and whether it is asked for."""
        host = self._world[origin(url)]
        # All addresses of this web are loopback; those given by number are allowed.
        if origin(url) not in self._origins and not self._options.private:
            return "refused_address", False
        if host.error:
            return host.error, False
        if not self._options.no_robots and not host.allows(url):
            return "robots", False
        return None, True


def origin(url: str) -> str:
    return "/".join(url.split("/")[:3])


def compare(expected: dict[str, Expected], records: dict[str, Record]) -> list[str]:
    """Every difference, one in a line."""
    said = [f"missing: {url} (depth {expected[url].depth})" for url in expected if url not in records]
    said += [f"not expected: {url}: {records[url]}" for url in records if url not in expected]
    for url in expected.keys() & records.keys():
        said += [f"{url}: {difference}" for difference in expected[url].differences(records[url])]
    return sorted(said)
