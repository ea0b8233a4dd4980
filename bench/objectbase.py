"""What it costs to read and to change shared objects, beside other stores that processes share.

The programs are in bench/stores, each with the same thousand objects in another store, in a folder in memory, and with
nothing forced to a disk; times are processor time of one process.

  read    one slot of 8 bytes, of another object each time
  commit  all 20 slots of an object get new values of 200 bytes, in a transaction of its own
  open    a store with a million objects of 4 slots, beside one with a thousand; and what an object takes in the file
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import servers
from heddle.measure.alternation import Alternation, alternate
from heddle.measure.benchmark import Result, Tools, ratio_claim
from heddle.measure.commands import call
from heddle.output.layout import columns

CLAIMS = ("objectbase.read",)
MEASURES = ("base", "bench/stores", "objectbase")
PEERS = ("lmdb", "sqlite")
FEW, MANY, SLOTS = 1_000, 1_000_000, 4
COMMIT_GOALS = {"lmdb": 0.4, "sqlite": 0.02}


@dataclass(frozen=True)
class Effort:
    rounds: int
    reads: int
    commits: int


FULL = Effort(rounds=9, reads=2_000_000, commits=50_000)
QUICK = Effort(rounds=3, reads=200_000, commits=5_000)


@dataclass(frozen=True)
class Opened:
    microseconds: float
    bytes: float  # of an object


def opening(program: Path, objects: int) -> Opened:
    return Opened(*map(float, call([program, "open", str(objects)]).split()))


def run(quick: bool, tools: Tools) -> Result:
    effort = QUICK if quick else FULL
    tools.say("building")
    programs = servers.stores(tools.work / "stores")
    table: dict[str, dict[str, float]] = {name: {} for name in programs}

    def nanoseconds(name: str, what: str, count: int) -> float:
        return float(call([programs[name], what, str(count)]))

    def compare(peer: str, what: str, count: int) -> Alternation[float]:
        tools.say(f"{what}: {peer}")
        found = alternate(
            effort.rounds, lambda: nanoseconds(peer, what, count), lambda: nanoseconds("objectbase", what, count)
        )
        table[peer][what] = statistics.median(found.first)
        table["objectbase"][what] = statistics.median(found.second)
        return found

    claims, notes = [], []
    for peer in PEERS:
        found = compare(peer, "read", effort.reads)
        if peer == "lmdb":
            ratios = found.ratios(lambda run: run)
            what = "one-slot read, time / LMDB"
            claims.append(ratio_claim("objectbase.read", what, 0.1, ratios, found.doubts(), better="lower"))
        commits = compare(peer, "commit", effort.commits).ratios(lambda run: run)
        goal = COMMIT_GOALS[peer]
        notes.append(f"20-slot commit, time / {peer}: {statistics.median(commits):.3f} (goal {goal})")
    opened = alternate(
        effort.rounds,
        lambda: opening(programs["objectbase"], FEW),
        lambda: opening(programs["objectbase"], MANY),
    )
    times = opened.ratios(lambda run: run.microseconds)
    notes.append(
        f"open to read, {MANY:,} objects / {FEW:,}: {statistics.median(times):.2f}"
        f" ({statistics.median(run.microseconds for run in opened.second):.0f} us)"
    )
    notes.append(f"bytes of an object with {SLOTS} integers: {opened.second[0].bytes:.0f}")
    cells = [("ns", *table)]
    cells += [(what, *(f"{table[name][what]:,.1f}" for name in table)) for what in ("read", "commit")]
    lines = [line.rstrip() for line in columns(cells, "  ")]
    details: dict[str, Any] = {"figures": table, "notes": notes, "table": [*lines, "", *notes]}
    return Result(bench="objectbase", claims=claims, details=details)
