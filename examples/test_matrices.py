"""The analyser's verdicts on the example servers against the matrices that were found by reading them."""

from __future__ import annotations

from pathlib import Path

import pytest

from testing.servers.matrix import ELYZE, analysed, compare, drawn_matrix, read_matrix

EXAMPLES = sorted(path.parent for path in Path(__file__).parent.glob("*/expected-matrix.txt"))
HANDLERS = {"fileserver": 13, "imgserve": 9, "onion": 7}
every_example = pytest.mark.parametrize("sources", EXAMPLES, ids=lambda sources: sources.name)


@every_example
def test_the_matrix_names_every_pair_of_handlers(sources: Path) -> None:
    count = HANDLERS[sources.name]
    assert len(read_matrix(sources / "expected-matrix.txt")) == count * (count + 1) // 2


@every_example
def test_the_drawing_says_what_the_lines_say(sources: Path) -> None:
    path = sources / "expected-matrix.txt"
    assert drawn_matrix(path.read_text()) == {pair: expected.truth for pair, expected in read_matrix(path).items()}


@every_example
@pytest.mark.skipif(not ELYZE.exists(), reason="elyze is not built")
def test_the_analyser_finds_the_expected_matrix(sources: Path, tmp_path: Path) -> None:
    said = analysed(sources, tmp_path)
    matrix = read_matrix(sources / "expected-matrix.txt")
    assert {name for pair in said for name in pair} == {name for pair in matrix for name in pair}
    difference = compare(matrix, said)
    assert difference.unsound == []
    assert difference.imprecise == []
