"""The expected conflict matrix beside an example server, and how a constraints document differs from it."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heddle.documents.contracts import VERSIONS

ROOT = Path(__file__).resolve().parents[2]
ELYZE = Path(os.environ.get("HEDDLE_BUILD", ROOT / "build/dev")) / "elyze/elyze"
BITCODE = ["-g", "-O0", "-Xclang", "-disable-O0-optnone", "-emit-llvm", "-std=c11", "-c"]
DEFINES = ["-D_POSIX_C_SOURCE=200809L", "-D_DEFAULT_SOURCE"]
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


def drawn_matrix(text: str) -> dict[Pair, str]:
    """What the drawing in the file's head says."""
    short = {"A": "always", "s": "session", "-": "never"}
    drawing = [line[1:].split() for line in text.splitlines() if line.startswith("#   ")]
    rows = {words[0]: words[1:] for words in drawing if words[1:] and set(words[1:]) <= short.keys()}
    names = list(rows)
    for i, name in enumerate(names):
        if len(rows[name]) != len(names) - i:
            raise ValueError(f"the row of {name} has {len(rows[name])} letters")
    return {
        frozenset((f"on_{a}", f"on_{names[i + j]}")): short[letter]
        for i, a in enumerate(names)
        for j, letter in enumerate(rows[a])
    }


def verdicts(document: Mapping[str, Any]) -> dict[Pair, str]:
    """What a constraints document says of every pair; one that it does not list is `always`."""
    names = [handler["name"] for handler in document["handlers"]]
    result = {frozenset((a, b)): "always" for a in names for b in names}
    for pair in document["pairs"]:
        result[frozenset((names[pair["a"]], names[pair["b"]]))] = pair["verdict"]
    return result


def analysed(sources: Path, folder: Path, *options: str) -> dict[str, Any]:
    """What elyze says of the C files in `sources`, as a document; `folder` is for what is made on the way."""
    files: list[str | Path] = []
    for source in sorted(sources.glob("*.c")):
        out = folder / f"{source.stem}.bc"
        subprocess.run(["clang-19", *BITCODE, *DEFINES, source, "-o", out], check=True)
        files.append(out)
    document = folder / f"{sources.name}.json"
    naming = ["--program", sources.name, "--build-id", "none"]
    specs = ["--specs", ROOT / "elyze/specs"]
    subprocess.run([ELYZE, *files, *naming, *specs, *options, "-o", document], check=True)
    found: dict[str, Any] = json.loads(document.read_text())
    return found


def constraints(matrix: Mapping[Pair, Expected], program: str, build_id: str) -> dict[str, Any]:
    """The expected matrix as a document for the runtime. Handlers that conflict within a session have one."""
    names = sorted(name for pair in matrix for name in pair if len(pair) == 1)
    with_session = {name for pair, expected in matrix.items() if expected.truth == "session" for name in pair}

    def handler(index: int, name: str) -> dict[str, Any]:
        session = {"kind": "object" if name in with_session else "null", "offset": 0}
        places = {"file": "", "line": 0, "kind": "event", "registrations": []}
        return {"id": index, "name": name, "session": session, **places}

    return {
        "schema": "heddle/constraints",
        "version": VERSIONS["constraints"],
        "tool": {"name": "expected-matrix", "version": "1"},
        "program": {"name": program, "build_id": build_id},
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
