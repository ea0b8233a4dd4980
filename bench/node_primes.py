"""Counting primes in batches (the program that the 2011 thesis measures) under heddle-node, against plain node.

Three claims, by how long an event takes: the range is cut so that an average event has 1 ms, 0.3 ms or 20 us of work,
and all of it about five seconds. Beside them the curves of the thesis (Sheremetyev 2011, figures 5.1 to 5.4): time by
batch size, and how much of what was computed ahead was in vain, which is what an aborted transaction is there. The
thesis counted to a million, V8's optimiser and garbage collector switched off; both are on here, and so it is
sixteen million.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from bench import servers
from heddle.errors import BadInputError
from heddle.measure.alternation import Alternation, alternate
from heddle.measure.benchmark import Claim, Result, Tools, needs_cores, ratio_claim
from heddle.measure.node import Contender, Ended, finish, version
from heddle.papers import published

CLAIMS = ("node.primes_1ms", "node.primes_03ms", "node.primes_20us")
MEASURES = ("examples/node/batch-primes", "node")
LAST, PRIMES = 16_000_000, 1_031_130  # the thesis: a million, which today takes a sixth of a second


@dataclass(frozen=True)
class Effort:
    rounds: int
    curve_rounds: int


FULL = Effort(rounds=5, curve_rounds=2)
QUICK = Effort(rounds=2, curve_rounds=1)


def primes(batch: int) -> Contender:
    return Contender(servers.node_examples() / "batch-primes/primes.js", (str(batch), str(LAST)))


def batch_for(tools: Tools, event_s: float) -> int:
    """How many numbers make an event of that length in plain node, on average, without the time of starting node."""
    seconds = min(finish(primes(5000), tools.work).seconds for _ in range(2)) - 0.04
    return max(1, round(LAST * event_s / seconds))


def compare(tools: Tools, rounds: int, batch: int) -> Alternation[Ended]:
    plain = primes(batch)
    expected = f"{PRIMES} primes.\n"
    return alternate(
        rounds,
        partial(finish, plain, tools.work, expected),
        partial(finish, plain.under_heddle(), tools.work, expected),
    )


def speed_ups(found: Alternation[Ended]) -> list[float]:
    return [1 / ratio for ratio in found.ratios(lambda run: run.seconds)]


def in_vain(runs: Sequence[tuple[Ended, Ended]]) -> tuple[int, int]:
    """Regions that workers began, and those of them whose result was not used, for whatever reason; medians."""
    used, unused = [], []
    for _, heddle in runs:
        if heddle.report is None:
            raise BadInputError("heddle-node left no report", "run ./heddle doctor")
        sites = heddle.report["sites"]
        used.append(sum(site["matched"] for site in sites))
        unused.append(sum(site["wasted"] + site["late"] + site["failed"] for site in sites))
    return round(statistics.median(used)) + round(statistics.median(unused)), round(statistics.median(unused))


def curve(tools: Tools, effort: Effort, details: dict[str, Any]) -> list[str]:
    lines = [
        "",
        f"primes below {LAST:,}, by batch size (heddle papers primes: beside what the thesis published)",
        f"{'batch':>9}{'node, s':>10}{'heddle, s':>11}{'speed-up':>10}{'begun':>9}{'in vain':>9}",
    ]
    for batch in published.BATCHES:
        tools.say(f"batches of {batch}")
        found = compare(tools, effort.curve_rounds, batch)
        begun, wasted = in_vain(found.pairs)
        plain = statistics.median(run.seconds for run in found.first)
        heddle = statistics.median(run.seconds for run in found.second)
        speed = statistics.median(speed_ups(found))
        details[f"batch_{batch}"] = {
            "node_s": plain,
            "heddle_s": heddle,
            "speed_up": speed,
            "begun": begun,
            "in_vain": wasted,
        }
        lines.append(f"{batch:>9}{plain:>10.2f}{heddle:>11.2f}{speed:>10.2f}{begun:>9}{wasted:>9}")
    return lines


def worker_mb(tools: Tools, rounds: int) -> float:
    """What a worker adds to the process, in megabytes: the peak with five of them less that with one, over four."""

    def peak(workers: int) -> float:
        report = finish(primes(5000).under_heddle(workers), tools.work).report
        return float(report["peak_mb"]) if report is not None else math.nan

    return statistics.median((peak(5) - peak(1)) / 4 for _ in range(rounds))


def run(quick: bool, tools: Tools) -> Result:
    effort = QUICK if quick else FULL
    details: dict[str, Any] = {"node": version()}
    claims: list[Claim] = []
    lines = ["", f"{'event':>8}{'batch':>9}{'node, s':>10}{'heddle, s':>11}{'begun':>9}{'in vain':>9}"]
    for identity, event_s, what, goal in (
        ("node.primes_1ms", 0.0015, "batch primes, events of 1 ms and more, speed-up over node on 2 cores", 1.85),
        ("node.primes_03ms", 0.0003, "events of 0.3 ms", 1.60),
        ("node.primes_20us", 0.00002, "events of 20 us", 0.95),
    ):
        tools.say(what)
        batch = batch_for(tools, event_s)
        found = compare(tools, effort.rounds, batch)
        begun, wasted = in_vain(found.pairs)
        plain = statistics.median(run.seconds for run in found.first)
        heddle = statistics.median(run.seconds for run in found.second)
        details[identity] = {"batch": batch, "node_s": plain, "heddle_s": heddle, "begun": begun, "in_vain": wasted}
        lines.append(f"{1000 * event_s:>5.2f} ms{batch:>9}{plain:>10.2f}{heddle:>11.2f}{begun:>9}{wasted:>9}")
        claims.append(ratio_claim(identity, what, goal, speed_ups(found), found.doubts() + needs_cores()))
    tools.say("memory")
    details["worker_mb"] = worker_mb(tools, effort.rounds)
    lines.append(f"memory: {details['worker_mb']:.1f} MB for each worker")
    details["table"] = [*lines, *curve(tools, effort, details)]
    return Result(bench="node_primes", claims=claims, details=details)
