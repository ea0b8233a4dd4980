"""What a crawl is to find, worked out from what is known of the web by the words of the contract.

Depth is the least number of links, so this goes on until no depth gets less; it knows nothing of time, connections or
retries. Where the contract leaves something open, an `Expected` allows both.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
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


@dataclass
class Expected:
    depth: int
    node: Node
    error: str | None
    asked: bool
    looked_at: bool  # by --check only, with HEAD
    referrers: set[str] = field(default_factory=set)

    def differences(self, record: Record) -> list[str]:
        """What the record says otherwise, in words."""
        expected: Record = {"depth": self.depth, "error": self.error, "status": self.node.status if self.asked else 0}
        if self.asked:
            expected["redirect"] = self.node.redirect
        if self.asked and not self.looked_at and not self.node.redirect:
            expected |= {"type": self.node.type, "bytes": len(self.node.body)}
            expected["sha256"] = hashlib.sha256(self.node.body).hexdigest()
        said = [
            f"{name} is {record[name]!r}, not {value!r}" for name, value in expected.items() if record[name] != value
        ]
        given = self.depth == 0 and not record["referrer"]
        if self.referrers and not given and record["referrer"] not in self.referrers:
            said.append(f"referrer is {record['referrer']!r}, not one of {sorted(self.referrers)}")
        if self.asked and not self.looked_at and not self.node.redirect:
            least = len({target for target, kind in self.node.links if kind == "page"})
            most = len({target for target, kind in self.node.links if kind != "none"})
            if not least <= record["links"] <= most:
                said.append(f"links is {record['links']}, not from {least} to {most}")
        return said


def crawl(world: World, options: Options, given: Iterable[str], loose: bool = False) -> dict[str, Expected]:
    """`loose`: redirects of what --check only looks at are followed; the contract does not say whether they are."""
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
            self._reach(url, 0, followed=True)
        while self._due:
            self._visit(self._due.pop())
        for url, expected in self._found.items():
            expected.referrers = self._referrers.get(url, set())
        return self._found

    def _reach(self, url: str, depth: int, followed: bool, referrer: str | None = None) -> None:
        """It is linked, or redirected to, at this depth: noted if it is new, less deep, or to be followed only now."""
        if not self._in_scope(url) and not (self._options.check and not followed):
            return
        if self._options.max_depth is not None and depth > self._options.max_depth:
            return
        if referrer:
            self._referrers.setdefault(url, set()).add(referrer)
        known = self._found.get(url)
        if known and known.depth <= depth and not (known.looked_at and followed):
            return
        error, asked = self._fate(url)
        looked_at = not followed and (known is None or known.looked_at)
        node = self._world[origin(url)].nodes.get(url, Node(404, "text/plain", b"status 404"))
        least = min(depth, known.depth) if known else depth
        self._found[url] = Expected(least, node, error or node.error, asked, looked_at)
        self._due.append(url)

    def _visit(self, url: str) -> None:
        found = self._found[url]
        host = self._world[origin(url)]
        if found.error != "refused_address" and not self._options.no_robots and not found.looked_at:
            for page in host.sitemap:
                self._reach(page, 0, followed=True)
        if not found.asked or found.error or (found.looked_at and not self._loose):
            return
        if found.node.redirect:
            self._reach(found.node.redirect, found.depth, followed=True, referrer=url)
            for referrer in self._referrers.get(url, ()):
                self._referrers.setdefault(found.node.redirect, set()).add(referrer)
        for target, kind in () if found.looked_at else found.node.links:
            if (kind == "page" and self._in_scope(target)) or (kind == "resource" and self._options.resources):
                self._reach(target, found.depth + 1, followed=True, referrer=url)
            elif kind != "none" and self._options.check:
                self._reach(target, found.depth + 1, followed=False, referrer=url)

    def _in_scope(self, url: str) -> bool:
        if url in self._given:
            return True
        include, exclude = self._options.include, self._options.exclude
        if (include and not re.search(include, url)) or (exclude and re.search(exclude, url)):
            return False
        return self._options.span_hosts or origin(url) in self._origins

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
