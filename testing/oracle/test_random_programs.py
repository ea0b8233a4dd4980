"""Random event programs under the oracle: no overlap that the analyser's verdicts would have allowed.

Programs are compiled many to a file, because compiling costs more than all else. A failure names its seed; the program
is made as small as it stays a failure, and kept. HEDDLE_RANDOM_PROGRAMS says how many to try, HEDDLE_RANDOM_SEED where
to begin. Every other file is compiled with late points wherever there can be one.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from heddle.oracle.check import Outcome
from heddle.oracle.predictions import predictions
from testing.oracle.random_programs import RandomProgram, file_of, generate
from testing.oracle.small_programs import ROOT, build

IN_A_FILE = 25
ROUNDS = 60  # for each program
MOST_REDUCTIONS = 200
KEPT = ROOT / "build/random-failures"


@dataclass(frozen=True)
class Tried:
    seeds: range
    failing: set[int]
    predicted: int
    witnessed: int
    verdicts: Counter[str]
    late: bool
    start_early: int  # pairs that meet behind late points only


def try_programs(seeds: range, folder: Path) -> Tried:
    source = folder / f"random{seeds.start}.c"
    source.write_text(file_of([generate(seed) for seed in seeds]))
    late = seeds.start % 2 == 0
    program = build(source, folder, late)
    outcome = program.run(seeds.start, ROUNDS * len(seeds), longest_s=30.0)
    found = predictions(program.constraints, outcome)
    verdicts: Counter[str] = Counter(
        pair.verdict
        for pair in program.constraints.pairs
        if len({program.constraints.handlers[one].name.split("_")[0] for one in (pair.a, pair.b)}) == 1
    )
    start_early = sum(pair.together != pair.verdict for pair in program.constraints.pairs)
    for left in folder.glob(f"{source.stem}*"):
        left.unlink()
    return Tried(seeds, blamed(outcome), found.pairs, found.pairs_witnessed, verdicts, late, start_early)


def blamed(outcome: Outcome) -> set[int]:
    """The programs whose handlers a failure names."""
    names = (side.handler for failure in outcome.failures for side in (failure.first, failure.second))
    return {int(found.group(1)) for name in names if (found := re.match(r"p(\d+)_", name))}


def fails(program: RandomProgram, folder: Path, late: bool) -> Outcome | None:
    source = folder / f"one{program.seed}.c"
    source.write_text(file_of([program]))
    for seed in (1, 2, 3):
        outcome = build(source, folder, late).run(seed, 10 * ROUNDS)
        if outcome.failures:
            return outcome
    return None


def keep_smallest(seed: int, folder: Path, late: bool) -> str:
    """Removes statements as long as the failure stays; what was kept and what it shows, in words."""
    program = generate(seed)
    outcome = fails(program, folder, late)
    left = MOST_REDUCTIONS
    while outcome is not None and left > 0:
        for smaller in program.smaller():
            left -= 1
            if (found := fails(smaller, folder, late)) is not None:
                program, outcome = smaller, found
                break
            if left == 0:
                break
        else:
            break
    KEPT.mkdir(parents=True, exist_ok=True)
    kept = KEPT / f"p{seed}.c"
    kept.write_text(file_of([program]))
    if outcome is None:
        return f"seed {seed}: only together with its neighbours; the program is {kept}"
    one = outcome.failures[0]
    return f"seed {seed}: {one.first.handler} {one.second.handler} {one.verdict} on {one.object}: {kept}"


def batches(count: int) -> Iterator[range]:
    first = int(os.environ.get("HEDDLE_RANDOM_SEED", "1"))
    for start in range(first, first + count, IN_A_FILE):
        yield range(start, min(start + IN_A_FILE, first + count))


def check_programs(count: int, folder: Path) -> None:
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        tried = list(pool.map(lambda seeds: try_programs(seeds, folder), batches(count)))
    verdicts = sum((one.verdicts for one in tried), Counter[str]())
    predicted, witnessed = sum(one.predicted for one in tried), sum(one.witnessed for one in tried)
    first = tried[0].seeds.start
    print(f"{count} random programs from seed {first}: {dict(verdicts)}, {witnessed} of {predicted} pairs witnessed")
    failing = sorted((seed, one.late) for one in tried for seed in one.failing)
    assert [keep_smallest(seed, folder, late) for seed, late in failing[:5]] == [], f"failing seeds: {failing}"
    assert witnessed >= 0.5 * predicted, "the programs do not do what they could"
    assert any(one.start_early for one in tried), "no late point let anything start"
    assert all(verdicts[verdict] for verdict in ("never", "session", "always"))


@pytest.mark.timeout(300)
def test_a_few_dozen_programs(tmp_path: Path) -> None:
    check_programs(int(os.environ.get("HEDDLE_RANDOM_PROGRAMS", "75")), tmp_path)


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_ten_thousand_programs(tmp_path: Path) -> None:
    check_programs(10_000, tmp_path)


def test_a_seed_always_makes_the_same_program() -> None:
    assert generate(7).text() == generate(7).text()
    assert generate(7).text() != generate(8).text().replace("p8_", "p7_")
