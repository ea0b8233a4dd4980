"""What a benchmark is given and what it returns: claims with their goals, and where and of what they were measured.

A benchmark is a module `bench/NAME.py` with

    CLAIMS: tuple[str, ...]                      the ids that it reports
    MEASURES: tuple[str, ...]                    files and folders whose change makes a saved result out of date
    def run(quick: bool, tools: Tools) -> Result

A benchmark that cannot run, or whose contender answered wrongly, raises BadInputError.
"""

import json
import statistics
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from heddle.measure.alternation import spread
from heddle.system import machine, places

Better = Literal["higher", "lower"]


@dataclass(frozen=True)
class Tools:
    """Made by whoever runs the benchmark."""

    work: Path  # a folder for what the benchmark makes; kept between runs
    say: Callable[[str], None] = lambda _text: None  # progress, for people


@dataclass(frozen=True)
class Claim:
    id: str
    what: str
    unit: str
    better: Better
    goal: float
    measured: float  # median
    spread: float  # half of the distance between the least and the greatest, relative to the median
    runs: int
    doubt: str = ""  # empty: none

    @property
    def met(self) -> bool:
        return self.measured >= self.goal if self.better == "higher" else self.measured <= self.goal


def count_claim(
    identity: str,
    what: str,
    unit: str,
    goal: float,
    counted: float,
    better: Better = "lower",
    doubts: Sequence[str] = (),
) -> Claim:
    """A claim on something that is counted once, and does not spread."""
    return Claim(identity, what, unit, better, goal, counted, 0.0, 1, "; ".join(doubts))


def ratio_claim(
    identity: str,
    what: str,
    goal: float,
    ratios: Sequence[float],
    doubts: Sequence[str],
    better: Better = "higher",
) -> Claim:
    """The claim that the median of the ratios reaches the goal."""
    doubt = "; ".join(doubts)
    return Claim(identity, what, "ratio", better, goal, statistics.median(ratios), spread(ratios), len(ratios), doubt)


@dataclass(frozen=True)
class Result:
    bench: str
    claims: list[Claim]
    machine: dict[str, Any] = field(default_factory=machine.description)
    commit: str = field(default_factory=lambda: commit(places.root()))
    details: dict[str, Any] = field(
        default_factory=dict
    )  # figures behind the claims; 'table': lines to show below them

    def save(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self), indent=2) + "\n")


def commit(root: Path) -> str:
    """The commit that is checked out, with '-dirty' behind it if tracked files differ from it."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else "unknown"


def needs_cores() -> list[str]:
    """The doubt of a speed-up that was measured where there can be none."""
    return [] if machine.cores() >= 2 else ["one core only: nothing can run in parallel"]
