"""What the servers saw: every request with its times, and the questions that tests ask about them."""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise


@dataclass
class Exchange:
    """One request. Times are of the monotonic clock, in seconds, when its head was there and before its last byte."""

    url: str
    host: str  # scheme, address and port, as a URL begins
    method: str
    headers: dict[str, str]  # names in small letters
    connection: int
    start: float
    end: float | None = None
    complete: bool = field(default=False)  # the answer went out to its end


class Log:
    def __init__(self) -> None:
        self._exchanges: list[Exchange] = []
        self._lock = threading.Lock()  # written by the servers' thread, read by tests

    def add(self, exchange: Exchange) -> None:
        with self._lock:
            self._exchanges.append(exchange)

    def all(self) -> list[Exchange]:
        with self._lock:
            return list(self._exchanges)

    def pages(self) -> list[Exchange]:
        """All but those for robots.txt."""
        return [one for one in self.all() if not one.url.endswith("/robots.txt")]

    def urls(self, method: str | None = None) -> list[str]:
        """Of pages, in the order of their requests."""
        return [one.url for one in self.pages() if method in (None, one.method)]

    def of(self, url: str) -> list[Exchange]:
        return [one for one in self.all() if one.url == url]

    def counts(self) -> Counter[str]:
        return Counter(self.urls())

    def by_host(self) -> dict[str, list[Exchange]]:
        found: dict[str, list[Exchange]] = defaultdict(list)
        for one in sorted(self.all(), key=lambda exchange: exchange.start):
            found[one.host].append(one)
        return found


def gaps(exchanges: Iterable[Exchange]) -> list[float]:
    """Seconds from start to start."""
    starts = sorted(one.start for one in exchanges)
    return [after - before for before, after in pairwise(starts)]


def most_at_once(exchanges: Iterable[Exchange]) -> int:
    """How many requests were under way at the same time. One without an end lasts until the last of all."""
    events = []
    for one in exchanges:
        events += [(one.start, 1), (float("inf") if one.end is None else one.end, -1)]
    most = now = 0
    for _, change in sorted(events, key=lambda event: (event[0], event[1])):
        now += change
        most = max(most, now)
    return most
