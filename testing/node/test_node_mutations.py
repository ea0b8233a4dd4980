"""Each check of a worker's result is needed: where one is weakened, its program prints something else than under node.

Those that guard a worker's results (KEPT_BACK) are behind proofs of the transform, which no program passes: they are
tested on the worker itself (test_node_effects.py).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from testing.node.fuzzing import fuzz
from testing.node.mutants import MUTANTS, checks, mutated
from testing.node.node_runs import HERE, MAIN_VERSION, difference, run
from testing.node.test_node_effects import KEPT_BACK

MUTATIONS = HERE / "mutations"
WAIT = {"HEDDLE_TEST_WAIT": "1"}
TRIES = 3


def programs() -> list[Path]:
    return sorted(MUTATIONS.glob("*.js"))


def test_every_check_has_its_mutant_and_every_mutant_its_program() -> None:
    assert {(mutant.file, mutant.function) for mutant in MUTANTS.values()} == checks()
    assert MUTANTS.keys() == {path.stem for path in programs()} | KEPT_BACK.keys()


@pytest.mark.parametrize("path", programs(), ids=lambda path: path.stem)
def test_a_check_is_needed(path: Path, tmp_path: Path) -> None:
    plain = run(MAIN_VERSION, None, [path])
    assert difference(plain, run(MAIN_VERSION, WAIT, [path])) == ""
    package = mutated(path.stem, tmp_path)
    # On a busy machine a worker may come too late for all of it.
    assert any(difference(plain, run(MAIN_VERSION, WAIT, [path], package=package)) for _ in range(TRIES))


@pytest.mark.timeout(300)
def test_the_fuzzer_notices_when_arguments_are_not_compared(tmp_path: Path) -> None:
    found = fuzz(range(36), WAIT, (MAIN_VERSION,), mutated("arguments", tmp_path))
    assert any(one.different for one in found)
