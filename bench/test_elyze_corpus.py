"""The analyser's benchmark: what it computes from documents and says of programs that cannot be measured."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import elyze_corpus
import pytest


def document(*pairs: tuple[str, list[str]]) -> dict[str, Any]:
    """Pairs as (verdict, kinds of the objects they conflict on)."""
    objects = [{"id": 0, "kind": "unknown"}, {"id": 1, "kind": "global"}]
    ids = {"unknown": 0, "global": 1}
    return {
        "objects": objects,
        "pairs": [
            {"verdict": verdict, "conflicts": [{"object": ids[kind], "verdict": verdict} for kind in kinds]}
            for verdict, kinds in pairs
        ],
        "handlers": [{"name": "on_read"}],
    }


def test_a_pair_rests_on_unknown_functions_if_nothing_else_makes_it_conflict() -> None:
    found = document(("always", ["unknown"]), ("always", ["unknown", "global"]), ("session", ["global"]))
    assert elyze_corpus.on_unknown(found) == 0.5
    assert elyze_corpus.on_unknown(document(("never", []))) == 0.0


def test_a_program_that_fails_or_takes_too_long_is_unfit_with_its_last_words(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(elyze_corpus.UnfitError, match="broken"):
        elyze_corpus.timed([sys.executable, "-c", "import sys; sys.exit('broken')"])
    monkeypatch.setattr(elyze_corpus, "LIMIT_S", 0.2)
    with pytest.raises(elyze_corpus.UnfitError, match="more than"):
        elyze_corpus.timed([sys.executable, "-c", "import time; time.sleep(30)"])


def test_an_unfit_program_is_in_the_table_and_a_doubt_of_the_claim() -> None:
    found: dict[str, dict[str, Any]] = {
        "tmux": {"unfit": "not fetched"},
        "inetd": {"elyze_s": [1.0], "opt_s": [1.0], "ratios": [1.0], "doubts": []},
    }
    assert elyze_corpus.row("tmux", found["tmux"]) == "tmux        not fetched"
    (claim,) = elyze_corpus.claims(found)
    assert (claim.id, claim.doubt) == ("elyze.time_vs_opt", "tmux: not fetched")


@pytest.mark.parametrize("notes", sorted((Path(__file__).parents[1] / "elyze/tests/corpus").glob("*.handlers")))
def test_each_list_of_handlers_is_of_a_program_that_is_measured(notes: Path) -> None:
    assert notes.stem in {program.name for program in elyze_corpus.PROGRAMS}
