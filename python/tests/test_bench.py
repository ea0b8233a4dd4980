"""`heddle bench`: lists what there is, runs it, and fails when a claim misses its goal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_support import ROOT, Done, Heddle

MODULE = '''"""A benchmark for a test.

Its second paragraph.
"""
from heddle.errors import BadInputError
from heddle.measure.benchmark import Claim, Result, Tools
CLAIMS = ("test.claim",)
def run(quick: bool, tools: Tools) -> Result:
    {body}
    claim = Claim("test.claim", "what it says", "ratio", "higher", 1.5, {measured}, 0.04, 3, "a doubt")
    return Result("sample", [claim], {{"model": "A", "cores": 2, "system": "B", "release": "C", "quick": quick}}, "c0")
'''


@pytest.fixture
def bench(heddle: Heddle) -> Heddle:
    """A tree of its own with one benchmark."""
    folder = heddle.folder / "bench"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "test_sample.py").write_text("")
    heddle.environment["HEDDLE_ROOT"] = str(heddle.folder)
    heddle.environment["PYTHONPATH"] = f"{heddle.folder}:{heddle.environment['PYTHONPATH']}"
    return heddle


def run(bench: Heddle, *words: str, measured: float = 2.0, body: str = "pass") -> Done:
    (bench.folder / "bench" / "sample.py").write_text(MODULE.format(measured=measured, body=body))
    return bench("bench", *words)


def test_the_list_has_every_benchmark_and_nothing_else(bench: Heddle) -> None:
    assert run(bench, "list").out == "  sample  A benchmark for a test.\n"


def test_a_claim_that_reaches_its_goal_is_a_success(bench: Heddle) -> None:
    done = run(bench, "sample")
    assert done.code == 0, done.err
    for part in ("test.claim", "what it says", ">= 1.50", "2.00", "± 4 %", "reached", "a doubt"):
        assert part in done.out


def test_a_claim_that_misses_its_goal_is_a_finding(bench: Heddle) -> None:
    done = run(bench, "sample", measured=1.49)
    assert done.code == 1
    assert "missed" in done.out


def test_the_result_is_saved_as_json(bench: Heddle) -> None:
    assert run(bench, "sample", "--quick", "--json", "out.json").code == 0
    saved = json.loads((bench.folder / "out.json").read_text())
    assert (saved["bench"], saved["commit"], saved["machine"]["quick"]) == ("sample", "c0", True)
    assert saved["claims"][0]["measured"] == 2.0


@pytest.mark.parametrize(
    ("words", "body", "line"),
    [
        (["imgsrv"], "pass", "heddle: there is no benchmark 'imgsrv': use one of sample"),
        (
            ["sample", "--json", "no/such/x"],
            "pass",
            "heddle: no/such/x cannot be written: name a file in a folder that exists",
        ),
        (
            ["sample"],
            "raise BadInputError('no server: build', 'run ./heddle doctor')",
            "heddle: no server: build: run ./heddle doctor",
        ),
    ],
)
def test_what_cannot_be_run_is_one_line(bench: Heddle, words: list[str], body: str, line: str) -> None:
    done = run(bench, *words, body=body)
    assert (done.code, done.line) == (2, line)


def test_the_benchmarks_of_this_copy_can_all_be_listed(heddle: Heddle) -> None:
    done = heddle("bench", "list")
    listed = {line.split()[0] for line in done.out.splitlines()}
    assert listed == {path.stem for path in Path(ROOT, "bench").glob("[a-z]*.py") if not path.name.startswith("test_")}
