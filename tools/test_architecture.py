"""The dependency arrows hold, in all three languages, and docs/ARCHITECTURE.md lists exactly the folders there are."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path

import pytest
from imports import used_by, used_in
from project_files import CPP, ROOT, TYPESCRIPT, C, files_with, project_files

# part -> the parts it may use, besides itself. What is not listed may be used by nobody and use nothing of ours.
ARROWS: dict[str, frozenset[str]] = {
    "base": frozenset(),
    "schemas": frozenset(),
    "elyze": frozenset({"base", "schemas"}),
    "scheduler": frozenset({"base"}),
    "telemetry": frozenset({"base", "schemas"}),
    "multivent": frozenset({"base", "scheduler", "telemetry", "schemas"}),
    "pico": frozenset({"base", "scheduler", "telemetry", "schemas"}),
    "threadlab": frozenset({"base", "pico", "scheduler"}),
    "objectbase": frozenset({"base"}),
    "crawler": frozenset({"base", "pico"}),
    "ipc": frozenset({"base", "schemas"}),
    "python": frozenset({"schemas"}),
    "node": frozenset({"schemas"}),
    "examples": frozenset({"objectbase"}),
    "tools": frozenset(),
    "bench": frozenset({"objectbase", "pico", "scheduler", "python", "testing", "schemas"}),
    "testing": frozenset(
        {"base", "schemas", "scheduler", "telemetry", "multivent", "objectbase", "pico", "crawler", "elyze"}
        | {"python", "node", "examples", "threadlab"}
    ),
}
# What the tests of a part may use besides: the helpers of testing/, and what users have.
FOR_TESTS = frozenset({"testing", "python", "bench", "schemas"})

# Narrower than the part: only these places of a native part may use the schemas, because languages or parts meet there.
SCHEMA_READERS = (
    "elyze/explain",
    "elyze/plugin",
    "elyze/oracle",
    "elyze/report",
    "ipc",
    "multivent/libevent/preload",
    "multivent/process",
    "multivent/program",
    "pico/record",
    "telemetry",
    "testing",
    "schemas",
)

# Files that schemas/generate.py writes into other parts: to use them is to use the schemas.
GENERATED = frozenset({Path("python/heddle/documents/contracts.py"), Path("node/src/shared/contracts.ts")})

# Inside a part, its rooms: folders, and files that stand above them. room -> the rooms that it may use.
ROOMS: dict[str, dict[str, str]] = {
    "python/heddle": {
        "__init__": "",
        "errors": "",
        "interruption": "",
        "system": "errors",
        "program": "documents errors",
        "documents": "errors system",
        "output": "documents errors",
        "explain": "documents errors output",
        "toolchain": "errors program system",
        "analysis": "documents errors program system toolchain",
        "measure": "analysis errors program system",
        "run": "documents errors output program system",
        "report": "__init__ documents errors explain output",
        "oracle": "documents errors output",
        "predict": "documents errors explain output system",
        "papers": "errors output system",
        "crawl": "__init__ errors output report system",
        "ipc": "documents errors output program system",
        "lab": "__init__ documents errors measure output predict report system",
        "demo": "analysis documents errors explain measure output report run system",
        "cli": "__init__ analysis crawl demo documents errors explain interruption ipc lab measure oracle output"
        " papers predict program report run system toolchain",
        "__main__": "cli",
    },
    "node/src": {
        "arithmetic": "",
        "builtin": "arithmetic",
        "realm": "builtin",
        "contract": "",
        "complain": "builtin",
        "options": "builtin",
        "shared": "arithmetic builtin contract realm",
        "transform": "builtin contract shared",
        "loader": "arithmetic builtin complain contract realm transform",
        "worker": "builtin contract realm shared transform",
        "home/validation": "arithmetic builtin contract realm shared",
        "home/workers": "arithmetic builtin complain loader options shared",
        "home/policy": "arithmetic builtin complain contract home/validation home/workers loader options realm shared",
        "home/look-ahead": "arithmetic builtin contract home/policy home/validation home/workers loader"
        " options realm shared",
        "home/connections": "arithmetic builtin home/look-ahead home/policy home/validation home/workers loader realm"
        " shared",
        "home/figures": "arithmetic builtin complain contract home/policy home/workers loader options shared",
        "home": "arithmetic builtin complain contract home/connections home/figures home/look-ahead home/policy"
        " home/validation home/workers loader options realm shared",
        "start": "arithmetic builtin complain home home/policy loader options realm",
        "preload": "loader start",
        "register": "preload",
        "cli": "home/figures",
        "pack": "",
    },
}
# Their rooms may use each other in any way but in a circle.
NATIVE_PARTS = ("crawler", "elyze", "multivent", "objectbase", "pico", "scheduler", "telemetry", "threadlab")

# Folders of helpers for tests, within a part.
TEST_FOLDERS = frozenset({"tests", "testing"})
TEST_FILE = re.compile(
    r"(_(test|model_test|fuzz|bench|fixture)\.(cpp|hpp)|\.test\.ts)$|^(test_\w+|conftest)\.(py|hpp)$"
)


def part_of(path: Path) -> str:
    return "schemas" if path in GENERATED else path.parts[0]


def is_test(path: Path) -> bool:
    return TEST_FILE.search(path.name) is not None or bool(TEST_FOLDERS & set(path.parts[1:-1]))


def room_of(path: Path, top: str) -> str:
    """For node/src/home/policy/site.ts `home/policy`, for python/heddle/errors.py `errors`."""
    inside = path.relative_to(top)
    rooms = ROOMS.get(top, {})
    # The innermost folder that the table names; a folder that it does not name is one room with all that is in it.
    for folder in inside.parents:
        if str(folder) in rooms:
            return str(folder)
    return inside.parts[0] if len(inside.parts) > 1 else inside.name.split(".")[0]


def files_in(top: str) -> list[Path]:
    """The files of a part that belong to rooms: no tests, and of native parts no files that stand above all rooms."""
    return [
        path
        for path in code_files()
        if path.is_relative_to(top)
        and not is_test(path)
        and path not in GENERATED
        and (top in ROOMS or len(path.relative_to(top).parts) > 1)
    ]


def arrows_between_rooms(top: str) -> dict[str, dict[str, Path]]:
    """room -> the rooms that it uses, each with a file that does."""
    found: dict[str, dict[str, Path]] = defaultdict(dict)
    files = set(files_in(top))
    for path in files:
        for used in used_by(path) & files:
            if room_of(used, top) != room_of(path, top):
                found[room_of(path, top)].setdefault(room_of(used, top), path)
    return found


def circle_in(arrows: Mapping[str, Iterable[str]]) -> list[str]:
    """Rooms of which each uses the next, with the first once more at the end; empty if there is no such circle."""
    done: set[str] = set()

    def search(room: str, way: list[str]) -> list[str]:
        if room in way:
            return [*way[way.index(room) :], room]
        if room in done:
            return []
        for used in sorted(arrows.get(room, ())):
            if circle := search(used, [*way, room]):
                return circle
        done.add(room)
        return []

    return next((circle for room in sorted(arrows) if (circle := search(room, []))), [])


def code_files() -> list[Path]:
    return [path for path in files_with(*CPP, *C, ".py", *TYPESCRIPT) if "programs" not in path.parts]


def parts_used_in(text: str, path: str) -> set[str]:
    return {part_of(used) for used in used_in(text, Path(path))} & ARROWS.keys()


def test_quoted_includes_are_seen() -> None:
    source = '#include "elyze/ir/module.hpp"\n#include <scheduler/x.hpp>\n  # include "base/assert.hpp"\n'
    assert parts_used_in(source, "multivent/x.cpp") == {"elyze", "base"}


def test_imports_of_python_are_seen_wherever_they_stand() -> None:
    source = "import json\nfrom heddle import trace\ndef f():\n    from heddle.documents import contracts\n"
    assert parts_used_in(source, "bench/x.py") == {"python", "schemas"}
    assert parts_used_in("import project_files\n", "tools/x.py") == {"tools"}


def test_imports_of_typescript_are_seen_unless_they_are_comments() -> None:
    source = """
      import { a } from "./a.js";
      import type { B } from '../../../schemas/b.js';
      export * from "../worker/main.js";
      const late = await import("../../../elyze/late.js"), old = require("../../../base/old.cjs");
      import "node:fs"; // import "../../../bench/x.js"
      // import "../../../testing/x.js"
      /* import "../../../examples/x.js" */"""
    assert parts_used_in(source.replace('; // import "../../../bench/x.js"', ";"), "node/src/home/x.ts") == {
        "node",
        "schemas",
        "elyze",
        "base",
    }
    assert parts_used_in('import { limits } from "../shared/contracts.js";', "node/src/home/x.ts") == {"schemas"}


def test_circles_are_found() -> None:
    assert circle_in({"a": ["b"], "b": ["c"], "c": []}) == []
    assert circle_in({"a": ["b", "c"], "b": ["d"], "c": ["d"]}) == []
    assert circle_in({"start": ["a"], "a": ["b"], "b": ["c"], "c": ["a"]}) == ["a", "b", "c", "a"]


@pytest.mark.parametrize("path", code_files(), ids=str)
def test_a_file_uses_only_what_its_part_may_use(path: Path) -> None:
    part = part_of(path)
    allowed = ARROWS.get(part, frozenset()) | {part}
    if is_test(path):
        allowed |= FOR_TESTS
    used = {part_of(file) for file in used_by(path)} & ARROWS.keys()
    assert used <= allowed, f"{path} uses {sorted(used - allowed)}; {part} may use {sorted(allowed)}"
    if "schemas" in used and path.suffix in {*C, *CPP} and not is_test(path):
        assert str(path).startswith(SCHEMA_READERS), f"{path} reads a schema; that belongs in one of {SCHEMA_READERS}"


@pytest.mark.parametrize("path", files_with(".py"), ids=str)
def test_no_module_changes_where_python_looks(path: Path) -> None:
    """A module that did could import what the arrows do not show."""
    calls = (node.func for node in ast.walk(ast.parse((ROOT / path).read_text())) if isinstance(node, ast.Call))
    assert [call for call in map(ast.unparse, calls) if re.match(r"sys\.path\.(insert|append|extend)", call)] == []


def test_every_folder_with_code_has_its_arrows() -> None:
    tops = {path.parts[0] for path in code_files()}
    assert tops <= ARROWS.keys(), f"say in ARROWS what {sorted(tops - ARROWS.keys())} may use"


@pytest.mark.parametrize("top", sorted(ROOMS))
def test_a_room_uses_only_what_it_may_use(top: str) -> None:
    wrong = [
        f"{path}: {room} uses {used}"
        for room, arrows in arrows_between_rooms(top).items()
        for used, path in arrows.items()
        if used not in ROOMS[top].get(room, "").split()
    ]
    assert wrong == [], f"say in ROOMS that they may, or let them not: {top}"


@pytest.mark.parametrize("top", [*sorted(ROOMS), *NATIVE_PARTS])
def test_rooms_do_not_use_each_other_in_a_circle(top: str) -> None:
    arrows = arrows_between_rooms(top)
    circle = circle_in(arrows)
    files = [str(arrows[room][used]) for room, used in pairwise(circle)]
    assert circle == [], f"in {top}; each arrow is in {files}"


@pytest.mark.parametrize("top", sorted(ROOMS))
def test_the_table_of_rooms_has_no_circle_and_names_what_there_is(top: str) -> None:
    table = {room: arrows.split() for room, arrows in ROOMS[top].items()}
    assert circle_in(table) == []
    there = {room_of(path, top) for path in files_in(top)}
    assert table.keys() == there, f"only in the table or only in {top}: {sorted(table.keys() ^ there)}"


def test_examples_do_not_know_us() -> None:
    for path in files_with(*C):
        if path.parts[0] == "examples":
            assert "heddle" not in (ROOT / path).read_text().lower(), f"{path} mentions heddle"


def source_folders() -> set[str]:
    """Every folder that holds files of the project, two levels deep; hidden ones are the tools' own."""
    folders = set()
    for path in project_files():
        parts = path.parts[:-1][:2]
        if parts and not parts[0].startswith("."):
            folders.add("/".join(parts))
            folders.add(parts[0])
    return folders


def test_the_table_of_contents_is_complete_and_not_stale() -> None:
    text = (ROOT / "docs/ARCHITECTURE.md").read_text()
    listed = set(re.findall(r"^\| `([\w./-]+)/` \|", text, re.MULTILINE))
    there = source_folders()
    assert listed - there == set(), f"listed in docs/ARCHITECTURE.md but not there: {sorted(listed - there)}"
    assert there - listed == set(), f"there but not in docs/ARCHITECTURE.md: {sorted(there - listed)}"
