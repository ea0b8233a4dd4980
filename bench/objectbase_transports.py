"""What it costs an owner of objects and an editor to tell each other of changes, over each transport.

The program in bench/transports is both sides, and nothing but that: no rules, no display. A transaction is one of the
two of section 4.2 of the thesis that went from sockets to shared objects (Pham, MIT 1991):

  command  the editor asks for something by a change of one slot, and the owner changes all slots of an object
  save     the editor proposes new values for all slots of an object, and the owner takes them

Times are processor time, user and system, of both sides.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import servers
from heddle.measure.benchmark import Result, Tools, needs_cores, ratio_claim
from heddle.measure.commands import call
from heddle.measure.processor import Foreign, Watch
from heddle.output.layout import columns

CLAIMS = ("objectbase.v3b", "objectbase.v4_v3b")
MEASURES = ("base", "bench/transports", "objectbase")

TRANSPORTS = ("V1", "V1c", "V2", "V3a", "V3b", "V4")
SCENARIOS = ("command", "save")
SLOTS = (1, 5, 20, 100)
GOAL_SLOTS = 20
BYTES = 200
SMALL = 8
# What the thesis measured, in per cent of V1: bytes, messages, processor time (tables 4.3 and 4.4). Its first scenario
# is a start, of many small messages; its second one saves an object.
PAPER = {
    "command": {"V2": (-3.8, 0.0, -5.3), "V3a": (-33.87, 0.0, -15.82), "V3b": (-87.35, -80.5, -39.81)},
    "save": {"V2": (-1.87, 0.0, -5.05), "V3a": (-41.97, 0.0, -17.11), "V3b": (-91.42, -82.95, -34.05)},
}


@dataclass(frozen=True)
class Effort:
    rounds: int
    slots_written: int  # in a run, about

    def transactions(self, slots: int) -> int:
        return self.slots_written // (slots + 10)


FULL = Effort(rounds=7, slots_written=80_000)
QUICK = Effort(rounds=3, slots_written=12_000)


@dataclass(frozen=True)
class Cost:
    """Of a transaction."""

    cpu_us: float
    messages: float
    bytes: float


@dataclass(frozen=True)
class Case:
    scenario: str
    slots: int
    bytes: int
    cores: int

    def __str__(self) -> str:
        return f"{self.scenario}, {self.slots} x {self.bytes} bytes, {self.cores} cores"


Runs = dict[str, list[Cost]]


def run(quick: bool, tools: Tools) -> Result:
    effort = QUICK if quick else FULL
    tools.say("building")
    program = servers.transports(tools.work / "transports")
    cases = [Case(scenario, slots, BYTES, 2) for scenario in SCENARIOS for slots in SLOTS]
    cases += [Case(scenario, GOAL_SLOTS, BYTES, 1) for scenario in SCENARIOS]
    cases += [Case(scenario, GOAL_SLOTS, SMALL, 2) for scenario in SCENARIOS]
    found: dict[Case, Runs] = {case: defaultdict(list) for case in cases}
    foreign = Foreign()
    for number in range(effort.rounds):
        for case in cases:
            tools.say(f"round {number + 1} of {effort.rounds}: {case}")
            watch = Watch()
            for transport in TRANSPORTS if number % 2 == 0 else reversed(TRANSPORTS):
                found[case][transport].append(_cost(program, transport, case, effort))
            foreign = foreign.worse(watch.foreign)
    doubts = [*foreign.doubts(), *needs_cores()]
    claims = []
    for scenario in SCENARIOS:
        runs = found[Case(scenario, GOAL_SLOTS, BYTES, 2)]
        what = f"{{}}, {GOAL_SLOTS} slots, {scenario}"
        v3b = _ratios(runs, "V3b", "V1")
        claims.append(ratio_claim("objectbase.v3b", what.format("CPU, V3b / V1"), 0.5, v3b, doubts, better="lower"))
        v4 = _ratios(runs, "V4", "V3b")
        claims.append(ratio_claim("objectbase.v4_v3b", what.format("CPU, V4 / V3b"), 1.1, v4, doubts, better="lower"))
    table = [line for scenario in SCENARIOS for line in _table(scenario, found)]
    figures = {
        str(case): {name: [vars(cost) for cost in costs] for name, costs in runs.items()}
        for case, runs in found.items()
    }
    details: dict[str, Any] = {"figures": figures, "paper": PAPER, "table": table}
    return Result(bench="objectbase_transports", claims=claims, details=details)


def _cost(program: Path, transport: str, case: Case, effort: Effort) -> Cost:
    count = effort.transactions(case.slots)
    words = [transport, case.scenario, str(case.slots), str(case.bytes), str(count), str(case.cores)]
    return Cost(*map(float, call([program, *words]).split()))


def _ratios(runs: Runs, name: str, to: str) -> list[float]:
    """Of processor time, of runs of one round."""
    return [own.cpu_us / other.cpu_us for own, other in zip(runs[name], runs[to], strict=True)]


def _median(runs: Runs, name: str) -> Cost:
    rows = runs[name]
    return Cost(*(statistics.median(getattr(row, key) for row in rows) for key in ("cpu_us", "messages", "bytes")))


def _table(scenario: str, found: dict[Case, Runs]) -> list[str]:
    cases = [case for case in found if case.scenario == scenario]
    short = [f"{case.slots}x{case.bytes}" + (", 1 core" if case.cores == 1 else "") for case in cases]
    times: list[tuple[str, ...]] = [(f"{scenario}, us of CPU", *short)]
    times += [(name, *(f"{_median(found[case], name).cpu_us:.1f}" for case in cases)) for name in TRANSPORTS]
    ratios: list[tuple[str, ...]] = [("CPU / V1", *short)]
    for name in TRANSPORTS[1:]:
        ratios.append((name, *(f"{statistics.median(_ratios(found[case], name, 'V1')):.2f}" for case in cases)))
    runs = found[Case(scenario, GOAL_SLOTS, BYTES, 2)]
    changes: list[tuple[str, ...]] = [
        (f"{GOAL_SLOTS} slots, V1 to", "messages", "bytes", "CPU", "thesis: messages", "bytes", "CPU")
    ]
    base = _median(runs, "V1")
    for name in TRANSPORTS[1:]:
        cost = _median(runs, name)
        own = (cost.messages / base.messages, cost.bytes / base.bytes, statistics.median(_ratios(runs, name, "V1")))
        paper = PAPER[scenario].get(name)
        theirs = ("", "", "") if paper is None else tuple(f"{paper[which]:+.1f} %" for which in (1, 0, 2))
        changes.append((name, *(f"{100 * (ratio - 1):+.1f} %" for ratio in own), *theirs))
    lines = [*columns(times, "  "), "", *columns(ratios, "  "), "", *columns(changes, "  "), ""]
    return [line.rstrip() for line in lines]
