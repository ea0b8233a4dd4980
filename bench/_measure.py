"""What every benchmark shares: contenders in turn, the median of ratios, their spread, and what makes them doubtful.

A benchmark is a module `bench/NAME.py` with

    CLAIMS: tuple[str, ...]                              the ids it reports
    def run(quick: bool, tools: Tools) -> Result

Contenders alternate (A B, B A, A B ...), so that a machine that gets slower or faster meanwhile does so for both, and a
claim is the median of the ratios of neighbours. Time that other programs took from the machine is noted as a doubt: a
figure measured beside somebody else's work is worth little.
"""

from __future__ import annotations

import json
import math
import os
import platform
import resource
import statistics
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

MOST_FOREIGN = 0.05
Figure = TypeVar("Figure")


class BenchError(Exception):
    """A benchmark cannot run, or what it measured is wrong; the text is one line that says what to do."""


@dataclass(frozen=True)
class Tools:
    """Where things are; made by whoever runs the benchmark."""

    root: Path  # the repository
    build: Path  # native build, made for speed: build/release
    work: Path  # a folder for what the benchmark makes; kept between runs
    python: Path
    say: Callable[[str], None] = lambda _text: None  # progress, for people

    @property
    def multivent(self) -> Path:
        return self.build / "multivent/libmultivent.so"

    @property
    def elyze(self) -> Path:
        return self.build / "elyze/elyze"

    @property
    def load(self) -> Path:
        return self.build / "testing/load/heddle-load"

    def need(self, *programs: Path) -> None:
        for program in programs:
            if not program.exists():
                raise BenchError(f"{program} is not built: run ./heddle doctor")


@dataclass(frozen=True)
class Claim:
    id: str
    what: str
    unit: str
    better: Literal["higher", "lower"]
    goal: float
    measured: float  # median
    spread: float  # half of the distance between the least and the greatest, relative to the median
    runs: int
    doubt: str  # empty: none

    @property
    def met(self) -> bool:
        return self.measured >= self.goal if self.better == "higher" else self.measured <= self.goal


@dataclass(frozen=True)
class Result:
    bench: str
    claims: list[Claim]
    machine: dict[str, Any] = field(default_factory=lambda: machine())
    commit: str = field(default_factory=lambda: commit())
    details: dict[str, Any] = field(default_factory=dict)  # absolute figures behind the ratios

    def document(self) -> dict[str, Any]:
        return asdict(self)

    def save(self, path: Path) -> None:
        path.write_text(json.dumps(self.document(), indent=2) + "\n")


def machine() -> dict[str, Any]:
    """The same words as in schemas/run.schema.json."""
    model = "unknown"
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    return {
        "system": platform.system(),
        "release": platform.release(),
        "architecture": platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "model": model,
    }


def commit(root: Path | None = None) -> str:
    """The revision that is checked out, with '+' if tracked files differ from it."""
    folder = root or Path(__file__).resolve().parents[1]

    def git(*words: str) -> str:
        done = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=False)
        return done.stdout.strip() if done.returncode == 0 else ""

    revision = git("rev-parse", "--short=12", "HEAD")
    if not revision:
        return "unknown"
    return revision + ("+" if git("status", "--porcelain", "--untracked-files=no") else "")


def _machine_cpu_s() -> tuple[float, float]:
    """Processor seconds of the whole machine since it started: used, and used or idle."""
    words = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
    user, nice, system, idle, iowait, irq, softirq, steal = (int(word) / os.sysconf("SC_CLK_TCK") for word in words)
    used = user + nice + system + irq + softirq + steal
    return used, used + idle + iowait


def _own_cpu_s() -> float:
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


class ForeignCpu:
    """The share of the machine's processor time that neither this process nor its children used, while it was watched.

    Children count when they have been waited for, so every server and load must have ended before `share` is read.
    """

    def __init__(self) -> None:
        self._own = _own_cpu_s()
        self._used, self._total = _machine_cpu_s()

    @property
    def share(self) -> float:
        used, total = _machine_cpu_s()
        foreign = (used - self._used) - (_own_cpu_s() - self._own)
        return max(0.0, foreign / (total - self._total)) if total > self._total else 0.0


def spread(values: Sequence[float]) -> float:
    middle = statistics.median(values)
    return (max(values) - min(values)) / 2 / abs(middle) if middle else 0.0


def median_interval(values: Sequence[float]) -> tuple[float, float]:
    """Between which the median of all such runs lies, with 95 % confidence: order statistics, no distribution assumed.

    Source: Hollander, Wolfe, Chicken: Nonparametric Statistical Methods, 3.6. With fewer than six values it is all of
    their range, and the confidence less.
    """
    ordered = sorted(values)
    rank = max(1, math.floor((len(ordered) - 1.96 * math.sqrt(len(ordered))) / 2))
    return ordered[rank - 1], ordered[-rank]


@dataclass(frozen=True)
class Alternation(Generic[Figure]):
    """What two contenders showed, in pairs of neighbouring runs."""

    pairs: list[tuple[Figure, Figure]]
    foreign: float  # greatest share of foreign processor time during any pair

    def ratios(self, of: Callable[[Figure], float]) -> list[float]:
        """B / A for every pair; a figure of A that is 0 is a BenchError."""
        result = []
        for a, b in self.pairs:
            if of(a) == 0:
                raise BenchError("the contender to compare with did nothing: look at its own output")
            result.append(of(b) / of(a))
        return result

    def doubts(self) -> list[str]:
        if self.foreign <= MOST_FOREIGN:
            return []
        return [f"other programs took up to {self.foreign:.0%} of the machine"]


def alternate(
    rounds: int,
    a: Callable[[], Figure],
    b: Callable[[], Figure],
) -> Alternation[Figure]:
    pairs: list[tuple[Figure, Figure]] = []
    foreign = 0.0
    for number in range(rounds):
        watched = ForeignCpu()
        if number % 2 == 0:
            first = a()
            pairs.append((first, b()))
        else:
            second = b()
            pairs.append((a(), second))
        foreign = max(foreign, watched.share)
    return Alternation(pairs, foreign)


def alternate_until(
    precision: float,
    least: int,
    most: int,
    a: Callable[[], float],
    b: Callable[[], float],
) -> Alternation[float]:
    """`least` to `most` pairs: until the median of B / A is known within +- `precision` (`median_interval`)."""
    pairs: list[tuple[float, float]] = []
    foreign = 0.0
    while len(pairs) < most:
        # In twos, so that each is as often the first.
        found = alternate(2, a, b)
        pairs += found.pairs
        foreign = max(foreign, found.foreign)
        low, high = median_interval(Alternation(pairs, foreign).ratios(lambda figure: figure))
        if len(pairs) >= least and high - low <= 2 * precision:
            break
    return Alternation(pairs, foreign)


def ratio_claim(
    identity: str,
    what: str,
    goal: float,
    ratios: Sequence[float],
    doubts: Sequence[str],
    better: Literal["higher", "lower"] = "higher",
) -> Claim:
    """The claim that the median of the ratios reaches the goal."""
    return Claim(
        id=identity,
        what=what,
        unit="ratio",
        better=better,
        goal=goal,
        measured=statistics.median(ratios),
        spread=spread(ratios),
        runs=len(ratios),
        doubt="; ".join(doubts),
    )
