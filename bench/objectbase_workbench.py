"""What an edit costs in a program with real work: the workbench's Workshop and Editor, over each transport.

The program is examples/workbench, its store the sources in objectbase/. The Workshop checks an edit, reads what the
source names, and has its rules fire (CLIPS); the Editor makes of each change what it would send a page:

  save    a function gains or loses a line: one section changes
  rename  a function gets another name, or its old one: so does its source, and who uses it is marked
  reload  a file was edited elsewhere, and is read in again: five of its functions gain a line, or lose it

Times are processor time, user and system, of both sides. What they tell each other is the smaller part, so a transport
saves less here than in `objectbase_transports`, where there is nothing else.
"""

from __future__ import annotations

import shutil
import statistics
from collections import defaultdict
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from heddle.measure.benchmark import Claim, Result, Tools, needs_cores, ratio_claim
from heddle.measure.commands import call
from heddle.measure.processor import Foreign, Watch
from heddle.output.layout import columns
from heddle.system import places

CLAIMS = ("objectbase.workbench",)
MEASURES = ("base", "objectbase", "examples/workbench")

TRANSPORTS = ("V1", "V1c", "V2", "V3a", "V3b", "V4")
SCENARIOS = ("save", "rename", "reload")
GOALS = {1: 0.65, 2: 0.80}  # by cores


@dataclass(frozen=True)
class Effort:
    rounds: int
    edits: int


FULL = Effort(rounds=5, edits=4000)
QUICK = Effort(rounds=3, edits=500)


@dataclass(frozen=True)
class Cost:
    """Of an edit."""

    cpu_us: float
    messages: float
    bytes: float
    fired: float  # rules


@dataclass(frozen=True)
class Case:
    scenario: str
    cores: int

    def __str__(self) -> str:
        return f"{self.scenario}, {'one core' if self.cores == 1 else f'{self.cores} cores'}"


Runs = dict[str, list[Cost]]


def run(quick: bool, tools: Tools) -> Result:
    effort = QUICK if quick else FULL
    cases = [Case(*words) for words in product(SCENARIOS, sorted(GOALS))]
    found: dict[Case, Runs] = {case: defaultdict(list) for case in cases}
    foreign = Foreign()
    for number in range(effort.rounds):
        for case in cases:
            tools.say(f"round {number + 1} of {effort.rounds}: {case}")
            watch = Watch()
            for transport in TRANSPORTS if number % 2 == 0 else reversed(TRANSPORTS):
                found[case][transport].append(_cost(tools.work, transport, case, effort))
            foreign = foreign.worse(watch.foreign)
    doubts = [*foreign.doubts(), *needs_cores()]
    claims: list[Claim] = [
        ratio_claim(
            "objectbase.workbench",
            f"CPU of the workbench, {name} / V1, {case}",
            GOALS[case.cores],
            _ratios(found[case], name),
            doubts,
            better="lower",
        )
        for case, name in product(cases, ("V3b", "V4"))
    ]
    figures = {
        str(case): {name: [vars(cost) for cost in costs] for name, costs in runs.items()}
        for case, runs in found.items()
    }
    details: dict[str, Any] = {"figures": figures, "table": _table(found)}
    return Result(bench="objectbase_workbench", claims=claims, details=details)


def _cost(work: Path, transport: str, case: Case, effort: Effort) -> Cost:
    """Each run begins with a store of its own."""
    program = places.build() / "examples/workbench/workbench"
    folder = work / "store"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    call([program, "import", places.root() / "objectbase", folder / "store"])
    words = ["--transport", transport, "--scenario", case.scenario, "--cores", str(case.cores)]
    said = call([program, "measure", folder / "store", "--count", str(effort.edits), *words])
    return Cost(*map(float, said.split()))


def _ratios(runs: Runs, name: str) -> list[float]:
    """Of processor time, to V1's of the same round."""
    return [own.cpu_us / other.cpu_us for own, other in zip(runs[name], runs["V1"], strict=True)]


def _cpu_us(runs: Runs, name: str) -> float:
    return statistics.median(cost.cpu_us for cost in runs[name])


def _table(found: dict[Case, Runs]) -> list[str]:
    rows: list[tuple[str, ...]] = [("an edit: us, / V1", *map(str, found), "messages", "bytes", "rules: rename")]
    for name in TRANSPORTS:
        cells = [f"{_cpu_us(runs, name):6.1f}  {statistics.median(_ratios(runs, name)):.2f}" for runs in found.values()]
        last = found[Case("rename", 2)][name][-1]
        rows.append((name, *cells, f"{last.messages:.1f}", f"{last.bytes:.0f}", f"{last.fired:.1f}"))
    return [*columns(rows, "  ", 3), ""]
