"""What ways to protect shared data cost, by threads: the pattern experiments of the 2007 paper (7.3).

The program heddle-lab-patterns does the work, one pattern a run, and checks that no change was lost. Patterns alternate
as models do, and each is compared with the bare mutex of its own round.
"""

import json
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heddle.measure.alternation import median_interval
from heddle.measure.commands import call
from heddle.measure.processor import Foreign, Watch
from heddle.output.layout import columns
from heddle.system import machine, places

BARE = "mutex"
PATTERNS = (BARE, "scoped", "strategised", "null", "thread-specific", "optimistic")
OPERATIONS = 10_000_000


@dataclass(frozen=True)
class Run:
    seconds: float
    cpu_seconds: float
    in_vain: int


@dataclass(frozen=True)
class Found:
    operations: int
    runs: dict[tuple[str, int], list[Run]]  # by pattern and threads
    foreign: Foreign

    @property
    def threads(self) -> list[int]:
        return sorted({threads for _, threads in self.runs})

    def nanoseconds(self, pattern: str, threads: int) -> float:
        """Of an operation, by the clock."""
        return statistics.median(run.seconds for run in self.runs[pattern, threads]) / self.operations * 1e9

    def ratios(self, pattern: str, threads: int) -> list[float]:
        """Processor time against the bare mutex of the same round."""
        pairs = zip(self.runs[pattern, threads], self.runs[BARE, threads], strict=True)
        return [run.cpu_seconds / bare.cpu_seconds for run, bare in pairs if bare.cpu_seconds]

    def data(self) -> dict[str, Any]:
        return {
            "operations": self.operations,
            "machine": machine.description(),
            "doubts": self.foreign.doubts(),
            "patterns": {
                pattern: {
                    str(threads): {
                        "ns": self.nanoseconds(pattern, threads),
                        "cpu_ratio": statistics.median(self.ratios(pattern, threads)),
                        "cpu_ratio_between": list(median_interval(self.ratios(pattern, threads))),
                        "in_vain": statistics.median(run.in_vain for run in self.runs[pattern, threads]),
                    }
                    for threads in self.threads
                }
                for pattern in PATTERNS
            },
        }


def program() -> Path:
    return places.built(
        places.build() / "threadlab" / "patterns" / "heddle-lab-patterns", "the program of the patterns"
    )


def measure(
    threads: Sequence[int],
    repeat: int,
    operations: int = OPERATIONS,
    say: Callable[[str, int, int], None] = lambda _pattern, _done, _of: None,
) -> Found:
    runs: dict[tuple[str, int], list[Run]] = {(pattern, count): [] for count in threads for pattern in PATTERNS}
    executable = program()
    watch = Watch()
    done = 0
    for number in range(repeat):
        shift = number % len(PATTERNS)
        for count in threads:
            for pattern in (*PATTERNS[shift:], *PATTERNS[:shift]):
                say(f"{pattern}, {count}", done, repeat * len(runs))
                said = json.loads(call([executable, pattern, str(count), str(operations)]))
                runs[pattern, count].append(Run(**said))
                done += 1
    return Found(operations, runs, watch.foreign)


def lines(found: Found) -> list[str]:
    rows = [["ns an operation; threads:", *map(str, found.threads)]]
    for pattern in PATTERNS:
        rows.append([pattern, *(f"{found.nanoseconds(pattern, threads):.1f}" for threads in found.threads)])
    said = columns([[row[0], *(cell.rjust(7) for cell in row[1:])] for row in rows], "  ")
    return [*said, *(f"  Doubtful: {doubt}." for doubt in found.foreign.doubts())]
