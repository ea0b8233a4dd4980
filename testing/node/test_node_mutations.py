"""Each validation of heddle-node is needed: switched off, its program prints something else than under node.

The names are read from the sources, so that a new validation without a program fails here. Those that guard a worker's
results (KEPT_BACK) are behind proofs of the transform, which no program passes: they are tested on the worker itself.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fuzzing import fuzz
from node_runs import HERE, MAIN_VERSION, ROOT, difference, run
from test_node_effects import KEPT_BACK

MUTATIONS = HERE / "mutations"
WAIT = {"HEDDLE_TEST_WAIT": "1"}
TRIES = 3


def validations() -> set[str]:
    texts = (path.read_text() for path in (ROOT / "node/src").rglob("*.ts"))
    return {name for text in texts for name in re.findall(r'disabled\.has\("([\w-]+)"\)', text)}


def programs() -> list[Path]:
    return sorted(MUTATIONS.glob("*.js"))


def test_every_validation_has_its_mutation() -> None:
    known = {path.stem for path in programs()} | KEPT_BACK.keys()
    assert validations() == known


@pytest.mark.parametrize("path", programs(), ids=lambda path: path.stem)
def test_a_validation_is_needed(path: Path) -> None:
    plain = run(MAIN_VERSION, None, [path])
    assert difference(plain, run(MAIN_VERSION, WAIT, [path])) == ""
    mutant = {**WAIT, "HEDDLE_TEST_DISABLE": path.stem}
    # On a busy machine a worker may come too late for all of it.
    assert any(difference(plain, run(MAIN_VERSION, mutant, [path])) for _ in range(TRIES))


@pytest.mark.timeout(300)
def test_the_fuzzer_notices_when_arguments_are_not_compared() -> None:
    found = fuzz(range(36), {**WAIT, "HEDDLE_TEST_DISABLE": "arguments"}, (MAIN_VERSION,))
    assert any(one.different for one in found)
