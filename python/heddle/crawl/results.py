"""The results of a crawl, read once from JSON Lines and added up: a crawl may have millions of records."""

import heapq
import json
from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from heddle.errors import BadInputError

Record = dict[str, Any]

MOST_LISTED = 2000  # broken URLs that are kept one by one
MOST_SLOW = 20


@dataclass
class Host:
    requests: int = 0
    errors: int = 0
    bytes: int = 0
    ms: "array[float]" = field(default_factory=lambda: array("d"))  # of those that were answered

    def quantile(self, share: float) -> float:
        """Milliseconds; 0 where nothing was answered."""
        ordered = sorted(self.ms)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


@dataclass(frozen=True)
class Broken:
    url: str
    what: str
    referrer: str


@dataclass
class Group:
    """Pages of one host below one folder; the links between groups are those by which pages were found."""

    pages: int = 0
    depth: int = 0  # the least of its pages


@dataclass
class Summary:
    records: int = 0
    bytes: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)  # status, or the name of the error
    types: Counter[str] = field(default_factory=Counter)
    depths: Counter[int] = field(default_factory=Counter)
    sizes: "array[int]" = field(default_factory=lambda: array("Q"))  # of bodies that came, bytes
    ms: "array[float]" = field(default_factory=lambda: array("d"))
    hosts: dict[str, Host] = field(default_factory=dict)
    broken: list[Broken] = field(default_factory=list)
    broken_count: int = 0
    slow: list[tuple[float, str]] = field(default_factory=list)  # a heap of the slowest pages
    groups: dict[str, Group] = field(default_factory=dict)
    links: Counter[tuple[str, str]] = field(default_factory=Counter)  # between groups

    def add(self, record: Record) -> None:
        error, status, url = record["error"], record["status"], record["url"]
        what = error or str(status)
        self.records += 1
        self.bytes += record["bytes"]
        self.outcomes[what] += 1
        self.depths[record["depth"]] += 1
        host = self.hosts.setdefault(_origin(url), Host())
        host.requests += 1
        host.bytes += record["bytes"]
        if status:
            host.ms.append(record["ms"])
            self.ms.append(record["ms"])
            heapq.heappush(self.slow, (record["ms"], url))
            if len(self.slow) > MOST_SLOW:
                heapq.heappop(self.slow)
        if status and not record["redirect"]:
            self.sizes.append(record["bytes"])
            self.types[record["type"] or "none said"] += 1
        if error or status >= 400:
            host.errors += 1
            self.broken_count += 1
            if len(self.broken) < MOST_LISTED:
                self.broken.append(Broken(url, what, record["referrer"] or ""))
        self._add_to_group(url, record)

    def _add_to_group(self, url: str, record: Record) -> None:
        name = group_of(url)
        group = self.groups.setdefault(name, Group(depth=record["depth"]))
        group.pages += 1
        group.depth = min(group.depth, record["depth"])
        if record["referrer"]:
            self.links[group_of(record["referrer"]), name] += 1

    @property
    def slowest(self) -> list[tuple[float, str]]:
        return sorted(self.slow, reverse=True)

    def slowest_hosts(self) -> list[tuple[str, Host]]:
        return sorted(self.hosts.items(), key=lambda item: (-item[1].quantile(0.5), item[0]))


def summary(file: Path) -> Summary:
    found = Summary()
    for record in records(file):
        found.add(record)
    return found


def records(file: Path) -> Iterator[Record]:
    """Raises BadInputError where the file is no result of a crawl."""
    try:
        with file.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    record = json.loads(line)
                    record["url"], record["status"]
                except (ValueError, TypeError, KeyError):
                    raise BadInputError(
                        f"line {number} of {file} is no record", "name a result of heddle crawl"
                    ) from None
                yield record
    except FileNotFoundError:
        return  # the crawl was interrupted before it had anything
    except OSError as error:
        raise BadInputError(f"{file} cannot be read ({error.strerror})", "name a file of yours") from None


def _origin(url: str) -> str:
    return "/".join(url.split("/", 3)[:3])


def group_of(url: str) -> str:
    """The host and the first folder: http://h/a/b is in http://h/a/, and http://h/a in http://h/."""
    path = urlsplit(url).path.split("/")
    return _origin(url) + "/" + (path[1] + "/" if len(path) > 2 else "")
