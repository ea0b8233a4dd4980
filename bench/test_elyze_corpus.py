"""The analyser's benchmark: what it computes from documents and says of programs that cannot be measured."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import pytest

from bench import _corpus, elyze_corpus
from testing.servers import debian_programs
from testing.servers.debian_programs import PROGRAMS, Program, UnfitError


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


def measured(**changed: Any) -> dict[str, Any]:  # noqa: ANN401 - figures of any kind
    figures = {
        "opt_s": [2.0],
        "elyze_s": [1.0],
        "ratios": [0.5],
        "doubts": [],
        "peak_mb": 80.0,
        "instructions": 1000,
        "handlers": 4,
        "missing_handlers": ["on_close"],
        "never": 1,
        "session": 1,
        "always": 8,
        "conflicts": 12,
        "causes": 3,
        "unknown_always": 0.25,
    }
    return figures | changed


def test_a_pair_rests_on_unknown_functions_if_nothing_else_makes_it_conflict() -> None:
    found = document(("always", ["unknown"]), ("always", ["unknown", "global"]), ("session", ["global"]))
    assert _corpus.on_unknown(found) == 0.5
    assert _corpus.on_unknown(document(("never", []))) == 0.0


def test_a_program_that_fails_or_takes_too_long_is_unfit_with_its_last_words(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnfitError, match="broken"):
        _corpus.timed([sys.executable, "-c", "import sys; sys.exit('broken')"])
    monkeypatch.setattr(_corpus, "LIMIT_S", 0.2)
    with pytest.raises(UnfitError, match="more than"):
        _corpus.timed([sys.executable, "-c", "import time; time.sleep(30)"])


def test_processor_time_is_measured_apart_from_time() -> None:
    run = _corpus.timed([sys.executable, "-c", "import time; time.sleep(0.5)"])
    assert run.seconds >= 0.5
    assert run.cpu_s < 0.4


def test_a_source_that_is_edited_is_as_before_afterwards(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int a;\n")
    source = tmp_path / "a.c"

    def fail(edit: _corpus.Edit) -> None:
        with _corpus.edited(source, edit):
            assert source.read_text() == "int b;\n"
            raise UnfitError("the build failed")

    with pytest.raises(UnfitError, match="the build failed"):
        fail(_corpus.Edit("name", "a;", "b;"))
    with pytest.raises(UnfitError, match="not exactly one place"):
        fail(_corpus.Edit("name", "c;", "b;"))
    assert (tmp_path / "a.c").read_text() == "int a;\n"


def test_the_exponent_of_growth_tells_n_log_n_from_a_square() -> None:
    sizes = [1000.0, 5000.0, 20_000.0, 300_000.0]
    assert _corpus.exponent(sizes, [3e-5 * n * math.log2(n) for n in sizes]) == pytest.approx(1.0)
    assert _corpus.exponent(sizes, [1e-9 * n * n for n in sizes]) > 1.5


def test_an_unfit_program_is_in_the_table_and_a_doubt_of_the_claim() -> None:
    found: dict[str, dict[str, Any]] = {"tmux": {"unfit": "not fetched"}, "inetd": measured()}
    assert elyze_corpus.row("tmux", found["tmux"]) == "tmux       not fetched"
    (claim,) = elyze_corpus.claims(found)
    assert (claim.id, claim.measured, claim.doubt) == ("elyze.time_vs_opt", 0.5, "tmux: not fetched")


def test_a_row_fits_its_heading() -> None:
    seen = {"pairs": 9, "pairs_witnessed": 4}
    line = elyze_corpus.row("pgbouncer", measured(oracle=seen))
    assert len(line) == len(elyze_corpus.heading())
    assert line.split()[-3:] == ["25", "%", "4/9"]
    assert " 10/10/80 " in line


def test_the_claims_of_a_whole_run_are_those_that_are_announced() -> None:
    edits = {
        "comment": {"again_s": [0.5, 0.5], "keeps": True, "whole_run": False},
        "constant": {"again_s": [9.0, 11.0], "keeps": True, "whole_run": True},
        "access added": {"again_s": [12.0, 12.0], "keeps": False, "whole_run": True},
    }
    edit = {"first_s": [10.0, 10.0], "edits": edits, "foreign_cpu": 0.5}
    found = {name: measured() for name in ("pgbouncer", "tmux")} | {"tor": measured(edit=edit)}
    claims = elyze_corpus.claims(found)
    assert [claim.id for claim in claims if claim is not claims[3]] == list(elyze_corpus.CLAIMS)
    incremental, changing = claims[2:4]
    assert (changing.id, changing.measured, changing.met) == (incremental.id, 1.2, False)
    assert "worst of 1 that change the effects (access added)" in changing.what
    assert (incremental.measured, incremental.runs, incremental.met) == (1.0, 2, False)
    assert incremental.doubt == "other programs took up to 50% of the machine"
    assert "worst of 2 that keep the effects (constant)" in incremental.what
    said = elyze_corpus.after_edits(edit)
    assert "comment 0.050, constant 1.000 (whole run), access added 1.200 (whole run)" in said


@pytest.mark.parametrize("notes", sorted((Path(__file__).parents[1] / "elyze/tests/corpus").glob("*.handlers")))
def test_each_list_of_handlers_is_of_a_program_that_is_measured(notes: Path) -> None:
    assert notes.stem in {program.name for program in PROGRAMS}


def test_a_package_that_cannot_be_had_is_unfit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debian_programs, "ROOT", tmp_path)
    (tmp_path / "tools").mkdir()
    script = tmp_path / "tools/fetch_debian_source"
    script.write_text("#!/bin/sh\necho no mirror >&2\nexit 1\n")
    script.chmod(0o755)
    with pytest.raises(UnfitError, match="not fetched: no mirror"):
        debian_programs.build(Program("a", "a", "make", "a"), tmp_path / "there", tmp_path)
