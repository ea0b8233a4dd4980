"""The one change that frees the public-key work: atomic counters."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from testing.servers.matrix import ELYZE, analysed, read_matrix, verdicts

SOURCES = Path(__file__).resolve().parents[1]


@pytest.mark.skipif(not ELYZE.exists(), reason="elyze is not built")
def test_atomic_counters_free_the_work_and_change_nothing_else(plain: Path, tmp_path: Path) -> None:
    changed = tmp_path / "onion"
    changed.mkdir()
    for file in [*SOURCES.glob("*.[ch]"), plain / "atomic/pk_ops.c"]:
        shutil.copy(file, changed)
    matrix = read_matrix(SOURCES / "expected-matrix.txt")
    said = verdicts(analysed(changed, tmp_path))
    known = {pair: (expected.truth, expected.at_most) for pair, expected in matrix.items()}
    differs = {pair: verdict for pair, verdict in said.items() if verdict not in known[pair]}
    # on_stats still waits: for all that is known, it reads one counter three times.
    assert differs == {frozenset(["on_onionskin"]): "session"}
