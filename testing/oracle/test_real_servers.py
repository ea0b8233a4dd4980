"""pgbouncer and tmux, traced at real work: no overlap that their verdicts would have allowed."""

from __future__ import annotations

import pytest

from testing.oracle.small_programs import BUILD, ROOT
from testing.oracle.witness import witness
from testing.servers.debian_programs import UnfitError
from testing.servers.real_servers import WORK

LEAST = {"pgbouncer": (5_000, 20), "tmux": (1_000, 100)}  # invocations and pairs witnessed; fewer are no work


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
    invocations, pairs = LEAST[name]
    assert found.invocations >= invocations
    assert found.pairs_witnessed >= pairs
