"""The analyser's verdicts on the example servers against the matrices that were found by reading them."""

from __future__ import annotations

from pathlib import Path

import pytest

from testing.servers.matrix import ELYZE, analysed, compare, drawn_matrix, read_matrix, verdicts

EXAMPLES = sorted(path.parent for path in Path(__file__).parent.glob("*/expected-matrix.txt"))
OF_FILES = {"contents of some file", "directory entry of some file"}
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
    said = verdicts(analysed(sources, tmp_path, "--assume", "files-apart"))
    matrix = read_matrix(sources / "expected-matrix.txt")
    assert {name for pair in said for name in pair} == {name for pair in matrix for name in pair}
    difference = compare(matrix, said)
    assert difference.unsound == []
    assert difference.imprecise == []


@every_example
@pytest.mark.skipif(not ELYZE.exists(), reason="elyze is not built")
def test_without_assumptions_only_files_whose_paths_are_computed_are_more(sources: Path, tmp_path: Path) -> None:
    document = analysed(sources, tmp_path)
    difference = compare(read_matrix(sources / "expected-matrix.txt"), verdicts(document))
    assert difference.unsound == []
    names = [handler["name"] for handler in document["handlers"]]
    more = {frozenset(line.split(":")[0].split()) for line in difference.imprecise}
    looked_at = set()
    for pair in document["pairs"]:
        handlers = frozenset((names[pair["a"]], names[pair["b"]]))
        if handlers not in more:
            continue
        looked_at.add(handlers)
        objects = [document["objects"][c["object"]] for c in pair["conflicts"] if c["verdict"] == "always"]
        assert {an_object["name"] for an_object in objects} <= OF_FILES, pair
    assert looked_at == more
