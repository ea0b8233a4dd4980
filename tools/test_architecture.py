"""The dependency arrows hold, and docs/ARCHITECTURE.md lists exactly the folders there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from project_files import CPP, ROOT, C, files_with, project_files

# part -> the parts it may use, besides itself. What is not listed may be used by nobody and use nothing of ours.
ARROWS: dict[str, frozenset[str]] = {
    "base": frozenset(),
    "schemas": frozenset(),
    "elyze": frozenset({"base", "schemas"}),
    "scheduler": frozenset({"base"}),
    "multivent": frozenset({"base", "scheduler", "schemas"}),
    "testing": frozenset({"base", "schemas", "scheduler", "multivent", "elyze"}),
}
# Narrower than the part: only these folders of a part may use the schemas, because languages meet there.
SCHEMA_READERS = (
    "elyze/report",
    "elyze/oracle/runtime",
    "multivent/stats",
    "multivent/core/constraints_file",
    "testing",
    "schemas",
)

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def included_parts(source: str) -> set[str]:
    return {name.split("/")[0] for name in INCLUDE.findall(source)} & ARROWS.keys()


def test_include_scanner_sees_quoted_includes_only() -> None:
    source = '#include "elyze/ir/module.hpp"\n#include <scheduler/x.hpp>\n  # include "base/assert.hpp"\n'
    assert included_parts(source) == {"elyze", "base"}


def native_files() -> list[Path]:
    return [path for path in files_with(*CPP) if path.parts[0] in ARROWS]


@pytest.mark.parametrize("path", native_files(), ids=str)
def test_a_file_includes_only_what_its_part_may_use(path: Path) -> None:
    part = path.parts[0]
    allowed = ARROWS[part] | {part}
    # A part's tests may use the deterministic scheduler and the other helpers of testing/.
    if re.search(r"_(test|model_test|fuzz|bench)\.cpp$", path.name) or "tests" in path.parts:
        allowed |= {"testing"}
    used = included_parts((ROOT / path).read_text())
    assert used <= allowed, f"{path} includes {sorted(used - allowed)}; {part} may use {sorted(allowed)}"
    if "schemas" in used:
        assert str(path).startswith(SCHEMA_READERS), f"{path} reads a schema; that belongs in one of {SCHEMA_READERS}"


def test_every_native_folder_has_its_arrows() -> None:
    tops = {path.parts[0] for path in files_with(*CPP)}
    assert tops <= ARROWS.keys(), f"say in ARROWS what {sorted(tops - ARROWS.keys())} may use"


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
