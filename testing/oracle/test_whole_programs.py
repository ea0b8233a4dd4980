"""Random programs that use what real programs use: no overlap that the verdicts would have allowed, and no outcome that
plain libevent could not have had (outcomes.py).

HEDDLE_RANDOM_PROGRAMS says how many to try, HEDDLE_RANDOM_SEED where to begin. A program that fails is made smaller and
kept.
"""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from testing.oracle.outcomes import Built, Found, files, keep_smallest, summed, try_file
from testing.oracle.programs.generate import IN_A_FILE, file_of, generate


def try_programs(count: int, folder: Path) -> Found:
    first = int(os.environ.get("HEDDLE_RANDOM_SEED", "1"))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        total = summed(list(pool.map(lambda seeds: try_file(seeds, folder), files(count, first))))
    print(
        f"{count} random programs with libraries from seed {first}: {total.witnessed} of {total.predicted} pairs "
        f"witnessed, {total.pairs_together} of {total.pairs} pairs may overlap, {total.parallel} of {total.runs} runs "
        f"parallel, {total.overlapped} with invocations that overlapped, {len(total.unfit)} programs not judged"
    )
    return total


def check_programs(count: int, folder: Path) -> None:
    total = try_programs(count, folder)
    kept = [keep_smallest(seed, folder) for seed in sorted({*total.touched, *total.wrong})[:5]]
    assert kept == [], f"verdicts: {sorted(total.touched)}; outcomes: {total.wrong}"
    assert len(total.unfit) <= 0.02 * count, f"the programs themselves are wrong: {total.unfit}"
    assert total.overlapped >= 0.4 * total.runs, "they hardly run in parallel"


@pytest.mark.timeout(300)
def test_a_few_dozen_programs(tmp_path: Path) -> None:
    check_programs(int(os.environ.get("HEDDLE_RANDOM_PROGRAMS", "40")), tmp_path)


@pytest.mark.slow
@pytest.mark.timeout(14400)
def test_ten_thousand_programs(tmp_path: Path) -> None:
    check_programs(10_000, tmp_path)


def trusted_blindly(built: Built) -> None:
    document = json.loads(built.document.read_text())
    for pair in document["pairs"]:
        pair |= {"verdict": "never", "conflicts": []}
        pair.pop("starts", None)
    built.document.write_text(json.dumps(document))


@pytest.mark.timeout(300)
def test_wrong_verdicts_are_found(tmp_path: Path) -> None:
    """With every verdict taken away, about half of the programs come to something else."""
    found = [try_file(seeds, tmp_path, change=trusted_blindly) for seeds in files(2 * IN_A_FILE)]
    wrong = sum(len(one.wrong) for one in found)
    print(f"wrong verdicts were found in {wrong} of {2 * IN_A_FILE} programs")
    assert wrong >= 0.3 * 2 * IN_A_FILE


def test_a_seed_always_makes_the_same_program() -> None:
    assert file_of([generate(7)]) == file_of([generate(7)])
    assert generate(7).text() != generate(8).text().replace("p8_", "p7_")
