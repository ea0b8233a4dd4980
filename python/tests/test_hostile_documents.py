"""Documents that are cut short, changed at random or contradict themselves: one clear line, never a crash."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import analysed
import pytest
from analysed import needs_analyser
from cli_support import Heddle

from heddle.documents import constraints, schemas
from heddle.documents.constraints import Constraints
from heddle.errors import BadInputError
from heddle.explain import causes, identity, remedies
from heddle.report import text

Document = dict[str, Any]

ROUNDS = 600
JUNK = [None, True, -1, 0, 3, 10**9, 1.5, "", "always", "x" * 300, [], {}, [[]], {"id": 0}, "\x00", "never"]


def used(path: Path) -> None:
    """Everything that a report does with a document, so that nothing wrong is found only later."""
    found = constraints.load(path)
    text.report(found, 80, all_of_it=True)
    identity.conflicts(found)
    for cause in causes.causes(found):
        remedies.remedy(found, cause)


def accepted(path: Path) -> bool:
    try:
        used(path)
    except BadInputError as error:
        refusal = error
    else:
        return True
    assert "\n" not in refusal.what
    assert refusal.advice
    return False


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:  # noqa: ANN401
    found = [path] if path else []
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in entries:
        found += places(inner, (*path, key))
    return found


def at(document: Any, path: tuple[Any, ...]) -> Any:  # noqa: ANN401
    for key in path:
        document = document[key]
    return document


def changed(document: Document, chance: random.Random) -> Document:
    result = copy.deepcopy(document)
    for _ in range(chance.randint(1, 3)):
        path = chance.choice(places(result))
        holder, key = at(result, path[:-1]), path[-1]
        match chance.randint(0, 3):
            case 0:
                del holder[key]
            case 1:
                holder[key] = copy.deepcopy(at(result, chance.choice(places(result))))
            case _:
                holder[key] = chance.choice(JUNK)
    return result


def fuzz(document: Document, folder: Path, seed: int, rounds: int) -> int:
    """How many of the changed documents were refused."""
    chance = random.Random(seed)
    file = folder / "x.json"
    refused = 0
    for _ in range(rounds):
        file.write_text(json.dumps(changed(document, chance)))
        refused += not accepted(file)
    return refused


def test_random_changes_never_crash_the_reader(golden: Document, tmp_path: Path) -> None:
    refused = fuzz(golden, tmp_path, 1, ROUNDS)
    assert refused > ROUNDS // 2  # the checks are there


@needs_analyser
def test_random_changes_of_a_real_document_never_crash_the_reader(tmp_path: Path) -> None:
    real = analysed.document(analysed.PROGRAMS / "linked_sessions.c")
    assert fuzz(real, tmp_path, 2, ROUNDS // 5) > 0


def test_a_document_cut_short_anywhere_is_refused(golden: Document, tmp_path: Path) -> None:
    content = json.dumps(golden)
    file = tmp_path / "x.json"
    for end in range(0, len(content) - 1, 7):
        file.write_text(content[:end])
        assert not accepted(file)


def test_random_bytes_are_refused(tmp_path: Path) -> None:
    chance = random.Random(3)
    file = tmp_path / "x.json"
    for size in (0, 1, 5, 100, 5000):
        file.write_bytes(chance.randbytes(size))
        assert not accepted(file)


CONTRADICTIONS: list[tuple[str, Callable[[Document], object]]] = [
    (r"handlers\[1\] has the id 7", lambda d: d["handlers"][1].update(id=7)),
    (r"accesses\[0\] names objects\[40\]", lambda d: d["accesses"][0].update(object=40)),
    (r"accesses\[0\] names handlers\[40\]", lambda d: d["accesses"][0].update(handler=40)),
    (r"pairs\[1\] names accesses\[40\]", lambda d: d["pairs"][1]["conflicts"][0].update(a_access=40)),
    (r"pairs\[1\] names objects\[40\]", lambda d: d["pairs"][1]["conflicts"][0].update(object=40)),
    (r"pairs\[1\] names handlers\[40\]", lambda d: d["pairs"][1].update(b=40)),
    (r"pairs\[1\] is out of order or there twice", lambda d: d["pairs"][1].update(a=2)),
    (r"pairs\[6\] is out of order or there twice", lambda d: d["pairs"].append(d["pairs"][0])),
    (r"pairs\[1\] names an access of another handler", lambda d: d["pairs"][1]["conflicts"][0].update(a_access=0)),
    (r"assumptions\[0\] names handlers\[40\]", lambda d: d["assumptions"][0].update(handlers=[40])),
]


@pytest.mark.parametrize(("what", "change"), CONTRADICTIONS, ids=[what for what, _ in CONTRADICTIONS])
def test_a_document_that_contradicts_itself_is_refused(
    golden: Document, tmp_path: Path, what: str, change: Callable[[Document], object]
) -> None:
    change(golden)
    file = tmp_path / "x.json"
    file.write_text(json.dumps(golden))
    with pytest.raises(BadInputError, match=what):
        constraints.load(file)


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("{", "is not valid JSON (line 1): make it again: heddle analyze PROGRAM"),
        ("[]", "is not a heddle constraints document: make it again: heddle analyze PROGRAM"),
        ('{"schema": "heddle/run", "version": 1}', "is not a heddle constraints document"),
        ('{"schema": "heddle/constraints", "version": 9}', "has version 9 of the constraints schema"),
        ('{"schema": "heddle/constraints", "version": 3}', "breaks the constraints schema"),
        ("9" * 5000, "is not valid JSON"),
        ("[" * 100_000, "is not valid JSON"),
    ],
    ids=["cut", "list", "other kind", "later version", "incomplete", "long number", "deep"],
)
@pytest.mark.parametrize(
    "words", [("analyze", "FILE"), ("diff", "FILE", "FILE"), ("analyze", "GOOD", "--baseline", "FILE")]
)
def test_every_command_refuses_it_with_one_line(
    heddle: Heddle, golden: Document, words: tuple[str, ...], content: str, line: str
) -> None:
    (heddle.folder / "x.json").write_text(content)
    (heddle.folder / "good.json").write_text(json.dumps(golden))
    done = heddle(*(word.replace("FILE", "x.json").replace("GOOD", "good.json") for word in words))
    assert (done.code, done.out) == (2, "")
    assert line in done.line


def test_a_fuzzed_document_is_still_a_document(golden: Document) -> None:
    assert Constraints(golden).handlers


def test_the_fast_check_agrees_with_the_thorough_one(golden: Document) -> None:
    chance = random.Random(4)
    answers = []
    for _ in range(200):
        document = changed(golden, chance)
        answers.append(schemas.holds(document, "constraints"))
        assert answers[-1] == (schemas.problems(document, "constraints") == [])
    assert {True, False} == set(answers)
