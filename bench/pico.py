"""What pico's threads cost, against other lightweight threads and against the bare switch of stacks that they rest on.

The programs are in bench/threads, each with one kind of threads on one kernel thread; times are processor time.

  switch    from one thread to the next, while so many are alive and take turns. Boost.Context alone has no queue and
            nobody to wait for: it is what a switch costs at least
  create    a thread that ends at once, and its join, one after the other, so that stacks are used again
  blocked   many threads that have started and wait: the time until they do, and the memory that each takes
  unstarted the memory of one that has not started
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bench import servers
from heddle.measure.alternation import Alternation, alternate, spread
from heddle.measure.benchmark import Claim, Result, Tools, ratio_claim
from heddle.measure.commands import call
from heddle.output.layout import columns

CLAIMS = ("pico.switch", "pico.bytes_blocked", "pico.million_gb", "pico.create_join")
MEASURES = ("base", "bench/threads", "pico", "scheduler/workers")
LIVE = (1, 10, 100, 1_000, 10_000, 100_000, 1_000_000)
MILLION = 1_000_000
CREATED = 1_000_000
CLAIMED_LIVE = 1_000


@dataclass(frozen=True)
class Effort:
    rounds: int
    live: tuple[int, ...]
    rounds_of_a_million: int


FULL = Effort(rounds=7, live=LIVE, rounds_of_a_million=5)
QUICK = Effort(rounds=3, live=(1_000, 100_000), rounds_of_a_million=2)


class Threads:
    def __init__(self, tools: Tools, effort: Effort) -> None:
        self.tools, self.effort = tools, effort
        self.programs = servers.threads(tools.work / "threads")
        self.table: dict[str, dict[str, float]] = {name: {} for name in self.programs}
        self.ratios: dict[str, float] = {}

    def figures(self, name: str, what: str, count: int) -> list[float]:
        return [float(word) for word in call([self.programs[name], what, str(count)]).split()]

    def compare(self, peer: str, what: str, count: int, rounds: int) -> Alternation[list[float]]:
        """The peer and pico in turn."""
        self.tools.say(f"{what} {count:,}: {peer}")
        found = alternate(rounds, lambda: self.figures(peer, what, count), lambda: self.figures("pico", what, count))
        for index, unit in enumerate(("s", "bytes") if what == "blocked" else ("ns",)):
            row = f"{what} {count:,}, {unit}"
            self.table[peer][row] = statistics.median(figures[index] for figures in found.first)
            self.table["pico"][row] = statistics.median(figures[index] for figures in found.second)
            self.ratios[f"{row}: pico / {peer}"] = statistics.median(found.ratios(_number(index)))
        return found

    def switches(self) -> list[Claim]:
        claims = []
        for live in self.effort.live:
            for peer in self.programs:
                if peer == "pico":
                    continue
                found = self.compare(peer, "switch", live, self.effort.rounds if live < MILLION else 2)
                if peer == "context" and live == CLAIMED_LIVE:
                    what = f"switch, {live:,} live / bare Boost.Context switch"
                    ratios = found.ratios(_number(0))
                    claims.append(ratio_claim("pico.switch", what, 1.5, ratios, found.doubts(), better="lower"))
        return claims

    def created(self) -> list[Claim]:
        for peer in ("fiber", "asio"):
            self.compare(peer, "create", CREATED // 10, self.effort.rounds)
        found = self.compare("go", "create", CREATED, self.effort.rounds)
        what = "recycled create + join, time / Go's"
        return [ratio_claim("pico.create_join", what, 0.5, found.ratios(_number(0)), found.doubts(), better="lower")]

    def blocked(self) -> list[Claim]:
        for peer in ("fiber", "asio"):
            self.compare(peer, "blocked", MILLION // 10, 2)
        found = self.compare("go", "blocked", MILLION, self.effort.rounds_of_a_million)
        self.table["pico"][f"unstarted {MILLION:,}, bytes"] = self.figures("pico", "unstarted", MILLION)[0]
        each = [figures[1] for figures in found.second]
        return [
            _bytes_claim("pico.bytes_blocked", "resident bytes per started blocked thread", "bytes", 4300, each),
            _bytes_claim(
                "pico.million_gb",
                "a million started, blocked threads, resident GB",
                "GB",
                4.5,
                [size * MILLION / 1e9 for size in each],
            ),
        ]

    def lines(self) -> list[str]:
        rows = list(dict.fromkeys(row for figures in self.table.values() for row in figures))
        names = list(self.table)
        cells = [("", *names)]
        for row in rows:
            cells.append((row, *(_short(self.table[name].get(row)) for name in names)))
        return [line.rstrip() for line in columns(cells, "  ")]


def _number(index: int) -> Callable[[list[float]], float]:
    return lambda figures: figures[index]


def _short(figure: float | None) -> str:
    return "-" if figure is None else f"{figure:,.2f}" if figure < 10 else f"{figure:,.0f}"


def _bytes_claim(identity: str, what: str, unit: str, goal: float, values: list[float]) -> Claim:
    return Claim(identity, what, unit, "lower", goal, statistics.median(values), spread(values), len(values))


def run(quick: bool, tools: Tools) -> Result:
    tools.say("building")
    threads = Threads(tools, QUICK if quick else FULL)
    claims = [*threads.switches(), *threads.blocked(), *threads.created()]
    claims.sort(key=lambda claim: CLAIMS.index(claim.id))
    details: dict[str, Any] = {"figures": threads.table, "ratios": threads.ratios, "table": threads.lines()}
    return Result(bench="pico", claims=claims, details=details)
