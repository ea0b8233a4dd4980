"""The expected conflict matrix beside the server, and how a constraints document differs from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

STRENGTH = {"never": 0, "session": 1, "always": 2}
Pair = frozenset[str]


@dataclass(frozen=True)
class Expected:
    truth: str
    at_most: str
    reason: str


def parse_matrix(text: str) -> dict[Pair, Expected]:
    """Raises ValueError with the line's number for a line that is wrong, and for a pair that is named twice or not."""
    matrix: dict[Pair, Expected] = {}
    names: set[str] = set()
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        words = line.split(maxsplit=4)
        if len(words) != 5:
            raise ValueError(f"line {number}: not 'A B TRUTH AT-MOST reason'")
        a, b, truth, at_most, reason = words
        at_most = truth if at_most == "=" else at_most
        if truth not in STRENGTH or at_most not in STRENGTH or STRENGTH[at_most] < STRENGTH[truth]:
            raise ValueError(f"line {number}: '{truth}' and '{at_most}' are no verdicts that go together")
        pair = frozenset((a, b))
        if pair in matrix:
            raise ValueError(f"line {number}: the pair stands above already")
        matrix[pair] = Expected(truth, at_most, reason)
        names |= pair
    missing = {frozenset((a, b)) for a in names for b in names} - matrix.keys()
    if missing:
        raise ValueError(f"no line for {sorted(' '.join(sorted(pair)) for pair in missing)}")
    return matrix


def read_matrix(path: Path) -> dict[Pair, Expected]:
    return parse_matrix(path.read_text())


def verdicts(document: Mapping[str, Any]) -> dict[Pair, str]:
    """What a constraints document says of every pair; one that it does not list is `always`."""
    names = [handler["name"] for handler in document["handlers"]]
    result = {frozenset((a, b)): "always" for a in names for b in names}
    for pair in document["pairs"]:
        result[frozenset((names[pair["a"]], names[pair["b"]]))] = pair["verdict"]
    return result


def constraints(matrix: Mapping[Pair, Expected], build_id: str) -> dict[str, Any]:
    """The truth as a document that the runtime takes."""
    names = sorted(name for pair in matrix for name in pair if len(pair) == 1)
    without_client = {"on_accept", "on_sweep", "on_signal"}

    def handler(index: int, name: str) -> dict[str, Any]:
        session = {"kind": "null" if name in without_client else "object", "offset": 0}
        places = {"file": "", "line": 0, "kind": "event", "registrations": []}
        return {"id": index, "name": name, "session": session, **places}

    return {
        "schema": "heddle/constraints",
        "version": 1,
        "tool": {"name": "expected-matrix", "version": "1"},
        "program": {"name": "imgserve", "build_id": build_id},
        "handlers": [handler(index, name) for index, name in enumerate(names)],
        "objects": [],
        "accesses": [],
        "assumptions": [],
        "pairs": [
            {"a": i, "b": j, "verdict": matrix[frozenset((names[i], names[j]))].truth, "conflicts": []}
            for i in range(len(names))
            for j in range(i, len(names))
        ],
    }


@dataclass(frozen=True)
class Difference:
    unsound: list[str]  # less than the truth
    imprecise: list[str]  # more than is allowed
    allowed: list[str]  # more than the truth, as the file says it may be


def compare(matrix: Mapping[Pair, Expected], said: Mapping[Pair, str]) -> Difference:
    difference = Difference([], [], [])
    for pair, expected in matrix.items():
        verdict = said.get(pair)
        a, b = min(pair), max(pair)
        if verdict is None:
            difference.unsound.append(f"{a} {b}: not found by the analyser ({expected.truth}: {expected.reason})")
        elif STRENGTH[verdict] < STRENGTH[expected.truth]:
            difference.unsound.append(f"{a} {b}: {verdict}, but it is {expected.truth}: {expected.reason}")
        elif STRENGTH[verdict] > STRENGTH[expected.at_most]:
            difference.imprecise.append(f"{a} {b}: {verdict}, but it is {expected.truth}: {expected.reason}")
        elif verdict != expected.truth:
            difference.allowed.append(f"{a} {b}: {verdict}, but it is {expected.truth}")
    return difference
