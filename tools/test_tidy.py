"""What clang-tidy has passed is not looked at again, and nothing else is passed over."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
import tidy
from tidy import Tidy

CLEAN = "int twice(int x) { return x + x; }\n"
DIRTY = "int same(int x) { return x == x; }\n"


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "source.cpp"
    (tmp_path / ".clang-tidy").write_bytes((tidy.ROOT / ".clang-tidy").read_bytes())
    command = f"g++ -std=c++20 -o source.o -c {path}"
    entry = {"directory": str(tmp_path), "file": str(path), "command": command}
    (tmp_path / "compile_commands.json").write_text(json.dumps([entry]))
    path.write_text(CLEAN)
    return path


def findings(source: Path) -> str:
    return Tidy(source.parent).over([source])


def test_says_what_is_wrong_each_time(source: Path) -> None:
    source.write_text(DIRTY)
    assert "misc-redundant-expression" in findings(source)
    assert "misc-redundant-expression" in findings(source)


def test_what_passed_is_remembered_until_it_changes(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked = []
    check = Tidy.check

    def counted(self: Tidy, path: Path) -> list[str]:
        checked.append(path)
        return check(self, path)

    monkeypatch.setattr(Tidy, "check", counted)
    assert findings(source) == findings(source) == ""
    assert len(checked) == 1
    source.write_text(DIRTY)
    assert "misc-redundant-expression" in findings(source)
    assert len(checked) == 2


def test_a_source_that_does_not_compile_is_never_remembered(source: Path) -> None:
    source.write_text("#include <no/such/header.hpp>\n")
    assert "no/such/header.hpp" in findings(source)
    assert "no/such/header.hpp" in findings(source)


def test_a_header_that_gcc_has_precompiled_is_read_as_text(source: Path) -> None:
    header = source.with_name("common.hpp")
    header.write_text("int twice(int x);\n")
    compiled = header.with_name("common.hpp.gch")
    subprocess.run(["g++", "-std=c++20", "-x", "c++-header", header, "-o", compiled], check=True)
    commands = source.with_name("compile_commands.json")
    commands.write_text(commands.read_text().replace("-std=c++20", f"-std=c++20 -include {header}"))
    assert findings(source) == ""
    source.write_text(DIRTY)
    assert "misc-redundant-expression" in findings(source)
