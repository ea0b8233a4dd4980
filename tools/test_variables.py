"""CONTRIBUTING.md has every HEDDLE_ variable that the code reads, and no other."""

from __future__ import annotations

import re

from project_files import ROOT, project_files

# A name in quotes, a property of an environment object, or a shell's variable; a macro is none of them.
NAME = re.compile(
    r"""["'`](HEDDLE_[A-Z_]*[A-Z])["'`]|\benv\.(HEDDLE_[A-Z_]+)|\$\{?(HEDDLE_[A-Z_]+)|^(HEDDLE_[A-Z_]+)=""", re.M
)
CODE = {".cpp", ".hpp", ".c", ".h", ".py", ".ts", ".cts", ".mts", ".mjs", ".js", ""}
# Names that tests make up to see that they are passed on, or not, and a name that pytest's monkeypatch splits.
MADE_UP = {"HEDDLE_S", "HEDDLE_CORPUS_VALUE"}


def read_by_the_code() -> set[str]:
    found: set[str] = set()
    for path in project_files():
        if path.suffix in CODE and path.name not in {"LICENSE", "test_variables.py"}:
            text = (ROOT / path).read_text(errors="replace")
            found |= {name for match in NAME.findall(text) for name in match if name}
    return found - MADE_UP


def test_the_table_of_variables_is_complete() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `HEDDLE_")]
    listed = [name for row in rows for name in re.findall(r"HEDDLE_\w+", row)]
    assert len(listed) == len(set(listed))
    assert set(listed) == read_by_the_code()
