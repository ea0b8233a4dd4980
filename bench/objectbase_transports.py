"""What it costs an owner of objects and an editor to tell each other of changes, over each transport.

The program in bench/transports is both sides, and nothing but that: no rules, no display. A transaction is one of the
two of section 4.2 of the thesis that went from sockets to shared objects (Pham, MIT 1991):

  command  the editor asks for something by a change of one slot, and the owner changes all slots of an object
  save     the editor proposes new values for all slots of an object, and the owner takes them

Times are processor time, user and system, of both sides. When nothing is copied any more the two wake-ups of a
transaction are most of what is left; they cost several times as much where each side has a core of its own, which
sleeps meanwhile.

Beside `command` with 20 slots stands iceoryx2, shared memory without a store, where a request of one byte is answered
with as many bytes: if cargo is there, and can build it.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from bench import servers
from heddle.measure.benchmark import Claim, Result, Tools, needs_cores, ratio_claim
from heddle.measure.commands import call
from heddle.measure.processor import Foreign, Watch
from heddle.output.layout import columns

CLAIMS = ("objectbase.v3b", "objectbase.v4_v3b")
MEASURES = ("base", "bench/transports", "objectbase")

TRANSPORTS = ("V1", "V1c", "V2", "V3a", "V3b", "V4")
SCENARIOS = ("command", "save")
SLOTS = (1, 5, 20, 100)
CORES = (1, 2)
GOAL_SLOTS = 20
BYTES = 200
SMALL = 8
# What the thesis measured, in per cent of V1: bytes, messages, processor time (tables 4.3 and 4.4). Its first scenario
# is a start, of many small messages; its second one saves an object.
THESIS = ("thesis: messages", "bytes", "CPU")
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
        return f"{self.scenario}, {self.slots} x {self.bytes} bytes, {_words(self.cores)}"


Runs = dict[str, list[Cost]]


def run(quick: bool, tools: Tools) -> Result:
    effort = QUICK if quick else FULL
    tools.say("building")
    program = servers.transports(tools.work / "transports")
    sizes = [*((slots, BYTES) for slots in SLOTS), (GOAL_SLOTS, SMALL)]
    cases = [Case(scenario, *size, cores) for scenario in SCENARIOS for cores in CORES for size in sizes]
    found: dict[Case, Runs] = {case: defaultdict(list) for case in cases}
    tools.say("building iceoryx2: some minutes, once")
    peer = servers.iceoryx2(tools.work / "iceoryx2")
    peers: dict[int, list[float]] = defaultdict(list)
    foreign = Foreign()
    for number in range(effort.rounds):
        for case in cases:
            tools.say(f"round {number + 1} of {effort.rounds}: {case}")
            watch = Watch()
            for transport in TRANSPORTS if number % 2 == 0 else reversed(TRANSPORTS):
                found[case][transport].append(_cost(program, transport, case, effort))
            if peer is not None and (case.scenario, case.slots, case.bytes) == ("command", GOAL_SLOTS, BYTES):
                words = [str(case.slots), str(case.bytes), str(effort.transactions(case.slots)), str(case.cores)]
                peers[case.cores].append(float(call([peer, *words])))
            foreign = foreign.worse(watch.foreign)
    doubts = [*foreign.doubts(), *needs_cores()]
    claims: list[Claim] = []
    for scenario, cores in product(SCENARIOS, CORES):
        runs = found[Case(scenario, GOAL_SLOTS, BYTES, cores)]
        for identity, name, to, goal in (("objectbase.v3b", "V3b", "V1", 0.5), ("objectbase.v4_v3b", "V4", "V3b", 1.1)):
            what = f"CPU, {name} / {to}, {GOAL_SLOTS} slots, {scenario}, {_words(cores)}"
            claims.append(ratio_claim(identity, what, goal, _ratios(runs, name, to), doubts, better="lower"))
    table = [line for scenario, cores in product(SCENARIOS, CORES) for line in _table(scenario, cores, found)]
    table += [line for scenario in SCENARIOS for line in _changes(scenario, found)]
    table += ["", _peer(peers, found)]
    figures = {
        str(case): {name: [vars(cost) for cost in costs] for name, costs in runs.items()}
        for case, runs in found.items()
    }
    details: dict[str, Any] = {"figures": figures, "iceoryx2_us": dict(peers), "paper": PAPER, "table": table}
    return Result(bench="objectbase_transports", claims=claims, details=details)


def _cost(program: Path, transport: str, case: Case, effort: Effort) -> Cost:
    count = effort.transactions(case.slots)
    words = [transport, case.scenario, str(case.slots), str(case.bytes), str(count), str(case.cores)]
    return Cost(*map(float, call([program, *words]).split()))


def _peer(peers: dict[int, list[float]], found: dict[Case, Runs]) -> str:
    if not peers:
        return "iceoryx2 was not measured: there is no cargo that can build it"
    parts = []
    for cores, runs in peers.items():
        own = _median(found[Case("command", GOAL_SLOTS, BYTES, cores)], "V4").cpu_us
        parts.append(f"{statistics.median(runs):.1f} us, V4 {own:.1f} ({_words(cores)})")
    return f"iceoryx2, a request and an answer of {GOAL_SLOTS} x {BYTES} bytes: {'; '.join(parts)}"


def _ratios(runs: Runs, name: str, to: str) -> list[float]:
    """Of processor time, of runs of one round."""
    return [own.cpu_us / other.cpu_us for own, other in zip(runs[name], runs[to], strict=True)]


def _median(runs: Runs, name: str) -> Cost:
    rows = runs[name]
    return Cost(*(statistics.median(getattr(row, key) for row in rows) for key in ("cpu_us", "messages", "bytes")))


def _words(cores: int) -> str:
    return "one core" if cores == 1 else f"{cores} cores"


def _table(scenario: str, cores: int, found: dict[Case, Runs]) -> list[str]:
    """Processor time, in us and as a share of V1's, by slots and bytes."""
    cases = [case for case in found if (case.scenario, case.cores) == (scenario, cores)]
    rows: list[tuple[str, ...]] = [
        (f"{scenario}, {_words(cores)}: us, / V1", *(f"{case.slots} x {case.bytes} B" for case in cases))
    ]
    for name in TRANSPORTS:
        cells = (
            f"{_median(found[case], name).cpu_us:6.1f}  {statistics.median(_ratios(found[case], name, 'V1')):.2f}"
            for case in cases
        )
        rows.append((name, *cells))
    return [*columns(rows, "  ", 3), ""]


def _changes(scenario: str, found: dict[Case, Runs]) -> list[str]:
    """From V1, in per cent, beside what the thesis measured."""
    runs = {cores: found[Case(scenario, GOAL_SLOTS, BYTES, cores)] for cores in CORES}
    base = _median(runs[1], "V1")
    rows: list[tuple[str, ...]] = [
        (f"{scenario}, {GOAL_SLOTS} slots, V1 to", "messages", "bytes", "CPU, one core", "2 cores", *THESIS)
    ]
    for name in TRANSPORTS[1:]:
        cost = _median(runs[1], name)
        ratios = [cost.messages / base.messages, cost.bytes / base.bytes]
        ratios += [statistics.median(_ratios(runs[cores], name, "V1")) for cores in CORES]
        paper = PAPER[scenario].get(name)
        theirs = ("", "", "") if paper is None else tuple(f"{paper[which]:+.1f} %" for which in (1, 0, 2))
        rows.append((name, *(f"{100 * (ratio - 1):+.1f} %" for ratio in ratios), *theirs))
    return [*columns(rows, "  "), ""]
