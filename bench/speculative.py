"""Events as transactions, natively: the prime counter of the 2011 thesis, beside a loop of one thread.

The program is bench/events/primes.cpp. Every event reads and writes both counters, as in the thesis; with `add` it
only adds to them. Beside the claims stand the thesis' figures: speed by workers (5.1), time by batch size (5.2, 5.4),
and how often transactions ran again (5.3), for which events commit in any order as they did there; and heddle-node on
the same program. One thread is 1 everywhere; contenders run in turn.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import node_primes, servers
from heddle.errors import BadInputError
from heddle.measure.alternation import Alternation, alternate
from heddle.measure.benchmark import Claim, Result, Tools, needs_cores, ratio_claim
from heddle.measure.commands import call
from heddle.output.layout import columns
from heddle.papers import published

CLAIMS = ("lab.stm_primes",)
MEASURES = ("base", "bench/events", "scheduler/speculative", "scheduler/workers")
LAST, PRIMES = 4_000_000, 283_146  # the thesis: a million
SHORT = 10
EVENT_S = 0.0003
WORKERS = (1, 2, 3, 4)


@dataclass(frozen=True)
class Effort:
    rounds: int
    curve_rounds: int
    node_rounds: int


FULL = Effort(rounds=9, curve_rounds=3, node_rounds=2)
QUICK = Effort(rounds=3, curve_rounds=1, node_rounds=1)


@dataclass(frozen=True)
class Counted:
    seconds: float
    cpu_s: float
    events: int
    direct: int
    commits: int
    stopped: int
    waited: int


@dataclass(frozen=True)
class Primes:
    """The program, and how often each contender runs."""

    program: Path
    rounds: int

    def count(self, *words: object) -> Counted:
        found, seconds, cpu, *counts = call([self.program, *map(str, words)]).split()
        if int(found) != PRIMES:
            raise BadInputError(
                f"{' '.join(map(str, words))}: {found} primes instead of {PRIMES}", "nothing was measured"
            )
        return Counted(float(seconds), float(cpu), *map(int, counts))

    def compare(
        self, batch: int, workers: int = 2, way: str = "measured", order: str = "events", shared: str = "read"
    ) -> Alternation[Counted]:
        return alternate(
            self.rounds,
            lambda: self.count("serial", batch, LAST),
            lambda: self.count("loop", batch, LAST, workers, way, order, shared),
        )


def speeds(found: Alternation[Counted]) -> list[float]:
    return [1 / ratio for ratio in found.ratios(lambda run: run.seconds)]


def row(found: Alternation[Counted]) -> dict[str, float]:
    return {
        "speed": statistics.median(speeds(found)),
        "cpu": statistics.median(found.ratios(lambda run: run.cpu_s)),
        "serial_s": statistics.median(run.seconds for run in found.first),
        "direct": statistics.median(run.direct for run in found.second),
        "commits": statistics.median(run.commits for run in found.second),
        "stopped": statistics.median(run.stopped for run in found.second),
        "waited": statistics.median(run.waited for run in found.second),
    }


def table(title: str, rows: dict[str, dict[str, float]]) -> list[str]:
    heads = ("speed", "CPU", "serial, s", "direct", "commits", "ran again", "waited")
    cells = [(title, *heads)]
    for name, one in rows.items():
        speed, cpu, serial, *counts = one.values()
        cells.append((name, f"{speed:.2f}", f"{cpu:.2f}", f"{serial:.2f}", *(f"{count:,.0f}" for count in counts)))
    return ["", *(line.rstrip() for line in columns(cells, "  "))]


def batch_for(primes: Primes, event_s: float) -> int:
    """How many numbers make an event of that length, on average."""
    return max(1, round(LAST * event_s / min(primes.count("serial", 1000, LAST).seconds for _ in range(2))))


def node(tools: Tools, rounds: int) -> dict[str, float]:
    speed = {}
    for batch in (SHORT, 1000):
        tools.say(f"Node.js, batches of {batch}")
        speed[f"{batch:,}"] = statistics.median(node_primes.speed_ups(node_primes.compare(tools, rounds, batch)))
    return speed


def run(quick: bool, tools: Tools) -> Result:
    effort = QUICK if quick else FULL
    program = servers.primes(tools.work)
    primes, curve = Primes(program, effort.rounds), Primes(program, effort.curve_rounds)
    batch = batch_for(primes, EVENT_S)
    claims: list[Claim] = []
    lines: list[str] = []
    details: dict[str, Any] = {"last": LAST, "batch_of_0.3_ms": batch}

    rows = {}
    for name, size, shared, goal in (
        (f"0.3 ms ({batch})", batch, "read", 1.8),
        (f"{SHORT} numbers", SHORT, "read", 0.9),
        (f"0.3 ms ({batch}), add", batch, "add", None),
        (f"{SHORT} numbers, add", SHORT, "add", None),
    ):
        tools.say(f"events of {name}")
        found = primes.compare(size, shared=shared)
        rows[name] = row(found)
        if goal is not None:
            what = f"native speculative primes, events of {name.split(' (')[0]}, speed-up on 2 cores"
            claims.append(ratio_claim("lab.stm_primes", what, goal, speeds(found), found.doubts() + needs_cores()))
    details["events"] = rows
    lines += table("events", rows)

    rows = {}
    for workers in WORKERS:
        tools.say(f"{workers} workers")
        rows[str(workers)] = row(curve.compare(1000, workers))
    details["workers"] = rows
    lines += table("workers, batch 1000", rows)

    rows = {}
    for size in published.BATCHES:
        tools.say(f"batches of {size}")
        rows[f"{size:,}"] = row(curve.compare(size))
    details["batches"] = rows
    lines += table("batch", rows)

    rows = {}
    for size in (10, 100, 1_000, 10_000):
        tools.say(f"batches of {size}, in any order")
        rows[f"{size:,}"] = row(curve.compare(size, way="parallel", order="any"))
    details["any_order"] = rows
    lines += table("batch, as in the thesis", rows)

    details["node"] = node(tools, effort.node_rounds)
    lines += ["", "heddle-node / node: " + ", ".join(f"{name} {speed:.2f}" for name, speed in details["node"].items())]
    details["table"] = lines
    return Result(bench="speculative", claims=claims, details=details)
