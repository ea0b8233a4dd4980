"""The analyser's verdicts on imgserve against the matrix that was found by reading it."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from matrix import compare, parse_matrix, read_matrix, verdicts

ROOT = Path(__file__).resolve().parents[3]
SOURCES = ROOT / "examples/imgserve"
ELYZE = Path(os.environ.get("HEDDLE_BUILD", ROOT / "build/dev")) / "elyze/elyze"
BITCODE = ["-g", "-O0", "-Xclang", "-disable-O0-optnone", "-emit-llvm", "-std=c11", "-c"]
DEFINES = ["-D_POSIX_C_SOURCE=200809L", "-D_DEFAULT_SOURCE"]
TWO = "a a always = x\na b session always y\nb b never = z\n"


def test_the_matrix_names_every_pair_of_the_nine_handlers() -> None:
    matrix = read_matrix(SOURCES / "expected-matrix.txt")
    assert len(matrix) == 9 * 10 // 2


def test_the_drawing_says_what_the_lines_say() -> None:
    path = SOURCES / "expected-matrix.txt"
    short = {"A": "always", "s": "session", "-": "never"}
    drawing = [line[1:].split() for line in path.read_text().splitlines() if line.startswith("#   ")]
    rows = {words[0]: words[1:] for words in drawing if words[1:] and set(words[1:]) <= short.keys()}
    names = list(rows)
    for i, name in enumerate(names):
        assert len(rows[name]) == len(names) - i
    drawn = {
        frozenset((f"on_{a}", f"on_{names[i + j]}")): short[letter]
        for i, a in enumerate(names)
        for j, letter in enumerate(rows[a])
    }
    assert drawn == {pair: expected.truth for pair, expected in read_matrix(path).items()}


@pytest.mark.parametrize(
    "text",
    [
        "a a always\n",
        "a a perhaps = x\n",
        "a a always never x\n",
        "a a always = x\na a always = x\n",
        "a a always = x\nb b always = x\n",
    ],
)
def test_a_matrix_that_is_wrong_or_incomplete_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"line|no line"):
        parse_matrix(text)


def test_a_verdict_below_the_truth_is_unsound_and_above_the_limit_imprecise() -> None:
    matrix = parse_matrix(TWO)
    aa, ab, bb = frozenset("a"), frozenset("ab"), frozenset("b")
    fine = compare(matrix, {aa: "always", ab: "always", bb: "never"})
    assert (fine.unsound, fine.imprecise, len(fine.allowed)) == ([], [], 1)
    assert len(compare(matrix, {aa: "session", ab: "session", bb: "never"}).unsound) == 1
    assert len(compare(matrix, {aa: "always", ab: "never"}).unsound) == 2
    assert len(compare(matrix, {aa: "always", ab: "session", bb: "session"}).imprecise) == 1


def test_a_pair_that_a_document_does_not_list_is_always() -> None:
    document = {"handlers": [{"name": "a"}, {"name": "b"}], "pairs": [{"a": 0, "b": 1, "verdict": "never"}]}
    assert verdicts(document) == {frozenset("a"): "always", frozenset("ab"): "never", frozenset("b"): "always"}


@pytest.mark.skipif(not ELYZE.exists(), reason="elyze is not built")
def test_the_analyser_finds_the_expected_matrix(tmp_path: Path) -> None:
    files: list[str | Path] = []
    for source in sorted(SOURCES.glob("*.c")):
        out = tmp_path / f"{source.stem}.bc"
        subprocess.run(["clang-19", *BITCODE, *DEFINES, source, "-o", out], check=True)
        files.append(out)
    document = tmp_path / "imgserve.json"
    specs: list[str | Path] = ["--specs", ROOT / "elyze/specs"]
    naming = ["--program", "imgserve", "--build-id", "none"]
    subprocess.run([ELYZE, *files, *naming, *specs, "-o", document], check=True)
    said = verdicts(json.loads(document.read_text()))
    matrix = read_matrix(SOURCES / "expected-matrix.txt")
    assert {name for pair in said for name in pair} == {name for pair in matrix for name in pair}
    difference = compare(matrix, said)
    assert difference.unsound == []
    assert difference.imprecise == []
