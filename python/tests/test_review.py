"""Suppressions and baselines: what they hide, what they never hide, and what is wrong with a suppression file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli_support import Heddle

from heddle.documents.constraints import Constraints
from heddle.errors import BadInputError
from heddle.explain import identity, suppressions

Document = dict[str, Any]

KNOWN = '[[suppress]]\nobject = "stats.*"\nhandlers = ["*", "on_lookup"]\nreason = "only a figure"\n'


@pytest.fixture
def document(golden: Document, tmp_path: Path) -> Path:
    file = tmp_path / "server.constraints.json"
    file.write_text(json.dumps(golden))
    return file


def rules(folder: Path, text: str) -> Path:
    file = folder / "known.toml"
    file.write_text(text)
    return file


def test_a_suppressed_cause_is_not_reported_and_the_reason_is(heddle: Heddle, document: Path) -> None:
    before = heddle("analyze", document)
    done = heddle("analyze", document, "--suppressions", rules(heddle.folder, KNOWN))
    assert "stats (server.c:6)" in before.out
    assert "stats (server.c:6)" not in done.out
    assert "2 conflicts left out as" in done.out
    assert "reasons: only a figure" in done.out


def test_the_verdicts_of_a_report_stay_what_they_are(heddle: Heddle, document: Path) -> None:
    def verdicts(out: str) -> list[str]:
        lines = out.splitlines()
        return (
            lines[:2]
            + lines[
                lines.index("") : lines.index(
                    "What keeps handlers apart whatever their session (A), and what to do about it"
                )
            ]
        )

    plain = heddle("analyze", document).out
    everything = rules(heddle.folder, '[[suppress]]\nobject = "*"\nreason = "all of it"\n')
    hidden = heddle("analyze", document, "--suppressions", everything).out
    for line in verdicts(plain):
        assert line in hidden


def test_suppressions_never_change_the_document(heddle: Heddle, document: Path) -> None:
    before = document.read_bytes()
    out = heddle("analyze", document, "--suppressions", rules(heddle.folder, KNOWN), "--json").out
    assert document.read_bytes() == before
    assert json.loads(out) == json.loads(before)


def test_an_analysis_with_suppressions_writes_the_same_constraints(heddle: Heddle, toy: Path) -> None:
    assert heddle("analyze", "./toy", "-o", "plain.json").code == 0
    file = rules(heddle.folder, '[[suppress]]\nobject = "*"\nreason = "all of it"\n')
    assert heddle("analyze", "./toy", "-o", "hidden.json", "--suppressions", file).code == 0
    assert toy.exists()
    plain, hidden = (json.loads((heddle.folder / f"{name}.json").read_text()) for name in ("plain", "hidden"))
    del plain["program"]["sources"], hidden["program"]["sources"]  # the stand-in names its temporary files there
    assert plain == hidden


def test_an_entry_that_hides_nothing_is_told(heddle: Heddle, document: Path) -> None:
    stale = KNOWN + '\n[[suppress]]\nobject = "gone"\nreason = "was there once"\n'
    done = heddle("analyze", document, "--suppressions", rules(heddle.folder, stale))
    assert "nothing is hidden by gone between * and *" in " ".join(done.out.split())


@pytest.mark.parametrize(
    ("handlers", "hidden"),
    [
        (("on_lookup", "on_accept"), 1),
        (("on_accept", "on_lookup"), 1),
        (("*", "*"), 2),
        (("on_*", "on_l*"), 2),
        (("x", "*"), 0),
    ],
)
def test_handlers_are_named_in_either_order(golden: Document, handlers: tuple[str, str], hidden: int) -> None:
    constraints = Constraints(golden)
    entry = suppressions.Suppression("stats.requests", handlers, "known")
    found = suppressions.apply([entry], constraints, identity.conflicts(constraints))
    assert len(found.hidden) == hidden


def test_only_the_star_stands_for_other_text() -> None:
    entry = suppressions.Suppression("table[].x", ("*", "*"), "known")
    assert suppressions._pattern(entry.object).fullmatch("table[].x")
    assert not suppressions._pattern(entry.object).fullmatch("tablex.x")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[[suppress]\n", "is not valid TOML"),
        ('[suppress]\nobject = "x"\nreason = "y"\n', "suppress is one entry, not a list"),
        ('[[supress]]\nobject = "x"\nreason = "y"\n', "unknown entry 'supress'"),
        ('[[suppress]]\nobject = "x"\n', "entry 1 has no reason"),
        ('[[suppress]]\nobject = "x"\nreason = "  "\n', "entry 1 has no reason"),
        ('[[suppress]]\nreason = "why"\n', "entry 1 names neither an object nor handlers"),
        ('[[suppress]]\nobject = 3\nreason = "why"\n', "entry 1 has an object that is not a text"),
        ('[[suppress]]\nhandlers = ["a"]\nreason = "why"\n', "entry 1 has handlers that are not two names"),
        ('[[suppress]]\nhandlers = "a"\nreason = "why"\n', "entry 1 has handlers that are not two names"),
        ('[[suppress]]\nobjects = "x"\nreason = "why"\n', "entry 1 has an unknown key 'objects'"),
        ("suppress = [1]\n", "entry 1 is not a table"),
    ],
)
def test_a_wrong_suppression_file_is_refused_with_the_place(tmp_path: Path, text: str, what: str) -> None:
    with pytest.raises(BadInputError, match=what):
        suppressions.load(rules(tmp_path, text))


def test_a_missing_suppression_file_is_one_line(heddle: Heddle, document: Path) -> None:
    done = heddle("analyze", document, "--suppressions", "gone.toml")
    assert done.code == 2
    assert done.line == "heddle: gone.toml cannot be read (No such file or directory): name a suppression file"


def test_a_baseline_leaves_only_what_is_new(heddle: Heddle, document: Path, golden: Document) -> None:
    golden["pairs"][3]["conflicts"] = golden["pairs"][3]["conflicts"][:2]  # without strtok
    base = heddle.folder / "base.json"
    base.write_text(json.dumps(golden))
    done = heddle("analyze", document, "--baseline", base, "--fail-on", "new")
    assert done.code == 1
    assert "hidden state of strtok" in done.out
    assert "stats (server.c:6)" not in done.out
    assert "left out, for" in done.out
    assert "1 new" in done.out


def test_the_own_baseline_has_nothing_new(heddle: Heddle, document: Path) -> None:
    done = heddle("analyze", document, "--baseline", document, "--fail-on", "new")
    assert done.code == 0


def test_without_a_baseline_every_conflict_is_new(heddle: Heddle, document: Path) -> None:
    assert heddle("analyze", document, "--fail-on", "new").code == 1
    file = rules(heddle.folder, '[[suppress]]\nobject = "*"\nreason = "all of it"\n')
    # The pairs of which nothing is said are conflicts on what is not known.
    assert heddle("analyze", document, "--fail-on", "new", "--suppressions", file).code == 0
