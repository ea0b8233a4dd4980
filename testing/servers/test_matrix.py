"""How expected matrices are read and compared."""

from __future__ import annotations

import pytest

from testing.servers.matrix import compare, drawn_matrix, parse_matrix, verdicts

TWO = "a a always = x\na b session always y\nb b never = z\n"


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


def test_a_drawing_is_read_row_by_row() -> None:
    drawing = "#   against  a  b\n#   a        A  s\n#   b           -\n"
    a, ab, b = frozenset({"on_a"}), frozenset({"on_a", "on_b"}), frozenset({"on_b"})
    assert drawn_matrix(drawing) == {a: "always", ab: "session", b: "never"}
    with pytest.raises(ValueError, match="row of a"):
        drawn_matrix("#   a  A\n#   b  A\n")
