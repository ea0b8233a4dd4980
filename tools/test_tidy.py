"""What clang-tidy has passed is not looked at again, and nothing else is passed over."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from tidy import Tidy

CLEAN = "int twice(int x) { return x + x; }\n"
DIRTY = "int same(int x) { return x == x; }\n"


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "base" / "source.cpp"  # .clang-tidy names the folders whose headers count
    path.parent.mkdir()
    command = f"g++ -std=c++20 -o source.o -c {path}"
    entry = {"directory": str(path.parent), "file": str(path), "command": command}
    path.with_name("compile_commands.json").write_text(json.dumps([entry]))
    path.write_text(CLEAN)
    return path


def findings(*sources: Path) -> str:
    return Tidy(sources[0].parent).over(sources)


def another(source: Path, name: str, text: str) -> Path:
    """A second source, which is compiled as the first one is."""
    path = source.with_name(name)
    path.write_text(text)
    commands = source.with_name("compile_commands.json")
    entries = json.loads(commands.read_text())
    command = entries[0]["command"].replace(source.name, name)
    commands.write_text(json.dumps([*entries, {**entries[0], "file": str(path), "command": command}]))
    return path


def test_says_what_is_wrong_each_time(source: Path) -> None:
    source.write_text(DIRTY)
    assert "misc-redundant-expression" in findings(source)
    assert "misc-redundant-expression" in findings(source)


def test_what_passed_is_remembered_until_it_changes(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked = []
    check = Tidy.check

    def counted(self: Tidy, group: list[Path]) -> list[str]:
        checked.append(group)
        return check(self, group)

    monkeypatch.setattr(Tidy, "check", counted)
    assert findings(source) == findings(source) == ""
    assert len(checked) == 1
    source.write_text(DIRTY)
    assert "misc-redundant-expression" in findings(source)
    assert len(checked) == 2


# One of each family of checks that .clang-tidy has on, and those that look at a main file only.
EACH_KIND = {
    "misc-redundant-expression": DIRTY,
    "misc-unused-using-decls": "namespace a { struct B {}; }\nusing a::B;\n",
    "misc-unused-alias-decls": "namespace a { struct B {}; }\nnamespace c = a;\n",
    "misc-unused-parameters": "static int one(int x) { return 1; }\nint two() { return one(2); }\n",
    "bugprone-integer-division": "float half(int x) { return x / 2; }\n",
    "performance-unnecessary-value-param": "#include <string>\nbool none(std::string s) { return s.empty(); }\n",
    "concurrency-mt-unsafe": "#include <cstdlib>\nint number() { return std::rand(); }\n",
    "modernize-use-nullptr": "int *nothing() { return 0; }\n",
    "modernize-use-override": "struct A { virtual int f(); };\nstruct B : A { virtual int f(); };\n",
    "modernize-use-using": "typedef int number;\nnumber one();\n",
    "clang-diagnostic-unused-function": "static int unused() { return 1; }\n",
}


@pytest.mark.parametrize("kind", EACH_KIND)
def test_what_stands_in_any_source_of_a_unit_is_found(source: Path, kind: str) -> None:
    commands = source.with_name("compile_commands.json")
    commands.write_text(commands.read_text().replace("-std=c++20", "-std=c++20 -Wall -Werror"))
    second = another(source, "then.cpp", EACH_KIND[kind])
    assert list(Tidy(source.parent).groups([source, second])) == [[source, second]]
    found = findings(source, second)
    assert "then.cpp:" in found
    assert kind in found


def test_what_passed_beside_a_finding_is_remembered(source: Path) -> None:
    second = another(source, "then.cpp", DIRTY)
    assert "then.cpp:1" in findings(source, second)
    assert findings(source) == ""
    remembered = list((source.parents[1] / "cache").rglob("clang-tidy/*"))
    assert len(remembered) == 1


def test_sources_that_use_one_name_each_for_itself_are_looked_at_one_by_one(source: Path) -> None:
    second = another(source, "then.cpp", CLEAN.replace("x + x", "2 * x"))
    assert findings(source, second) == ""


def test_a_name_of_one_source_may_be_hidden_in_another(source: Path) -> None:
    commands = source.with_name("compile_commands.json")
    commands.write_text(commands.read_text().replace("-std=c++20", "-std=c++20 -Wshadow -Werror"))
    source.write_text("namespace { int x = 1; }\nint one() { return x; }\n")
    second = another(source, "then.cpp", CLEAN)
    tidy = Tidy(source.parent)
    assert tidy.check([source, second]) == []
    source.write_text("namespace { int x = 1; }\nint one(int x) { return x; }\n")
    assert "shadow" in "".join(tidy.check([source]))


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
