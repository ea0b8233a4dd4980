"""pgbouncer and tmux, traced at real work: no overlap that their verdicts would have allowed."""

from __future__ import annotations

import pytest
from debian_programs import UnfitError
from real_servers import WORK, witness
from small_programs import BUILD, ROOT

LEAST = {"pgbouncer": 5_000, "tmux": 500}  # invocations; fewer are no work


@pytest.mark.slow
@pytest.mark.timeout(5400)
@pytest.mark.parametrize("name", sorted(WORK))
def test_no_overlap_that_the_verdicts_would_have_allowed(name: str) -> None:
    try:
        found = witness(name, WORK[name], ROOT / "build/traced", BUILD)
    except UnfitError as error:
        if str(error).startswith("not fetched") or "not installed" in str(error):
            pytest.skip(str(error))
        raise
    print(f"{name}: {found}")
    assert found.failures == []
    assert found.invocations >= LEAST[name]
    assert found.pairs_witnessed >= 0.1 * found.pairs
