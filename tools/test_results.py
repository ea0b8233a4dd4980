"""What is said of figures is what was measured; the README stays short enough to be read."""

from __future__ import annotations

import re

import pytest
import results
from project_files import ROOT

README = ROOT / "README.md"
MOST_README_BYTES = 8192


def test_the_readme_is_short() -> None:
    assert len(README.read_bytes()) <= MOST_README_BYTES


def test_the_page_of_results_says_what_is_saved() -> None:
    assert (results.RESULTS / "README.md").read_text() == results.document(), "run tools/results.py"


def test_the_figures_of_the_readme_are_the_saved_ones() -> None:
    text = README.read_text()
    assert text == results.with_figures(text), "run tools/results.py"


@pytest.mark.parametrize("name", sorted(path.stem for path in results.RESULTS.glob("*.json")))
def test_a_result_names_its_benchmark_its_commit_and_what_it_measures(name: str) -> None:
    result = results.saved()[name]
    assert result["bench"] == name
    assert re.fullmatch(r"[0-9a-f]{12}(\+|-dirty)?", result["commit"])
    measures = results.measures(name)
    assert measures
    assert [path for path in measures if not (ROOT / path).exists()] == []


def test_a_result_older_than_its_code_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    one = {"bench": "imgserve", "commit": "0" * 12, "claims": []}
    monkeypatch.setattr(results, "saved", lambda: {"imgserve": one})
    monkeypatch.setattr(results, "_git", lambda *words: "abc one\ndef two" if words[0] == "log" else None)
    assert results.aged() == [f"docs/results/imgserve.json was measured at {'0' * 12}; commits to that code since: 2"]
    monkeypatch.setattr(results, "_git", lambda *_: "")
    assert results.aged() == []
    monkeypatch.setattr(results, "_git", lambda *_: None)
    assert "lacks" in results.aged()[0]


def test_a_text_has_the_number_of_programs_that_the_result_has() -> None:
    claims = [{"what": "worst of 68 programs (zod), speed / node", "runs": 4}, {"what": "median of those", "runs": 16}]
    assert results.told("{programs} of {runs}", {"claims": claims}) == "68 of 4"
