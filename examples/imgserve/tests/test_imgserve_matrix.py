"""The analyser's verdicts on imgserve against the matrix that was found by reading it."""

from __future__ import annotations

from pathlib import Path

import pytest
from matrix import ELYZE, analysed, compare, drawn_matrix, read_matrix

SOURCES = Path(__file__).resolve().parents[1]
MATRIX = SOURCES / "expected-matrix.txt"


def test_the_matrix_names_every_pair_of_the_nine_handlers() -> None:
    assert len(read_matrix(MATRIX)) == 9 * 10 // 2


def test_the_drawing_says_what_the_lines_say() -> None:
    truth = {pair: expected.truth for pair, expected in read_matrix(MATRIX).items()}
    assert drawn_matrix(MATRIX.read_text()) == truth


@pytest.mark.skipif(not ELYZE.exists(), reason="elyze is not built")
def test_the_analyser_finds_the_expected_matrix(tmp_path: Path) -> None:
    said = analysed(SOURCES, tmp_path)
    matrix = read_matrix(MATRIX)
    assert {name for pair in said for name in pair} == {name for pair in matrix for name in pair}
    difference = compare(matrix, said)
    assert difference.unsound == []
    assert difference.imprecise == []
