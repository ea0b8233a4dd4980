"""What modules define is asked once: a program of hundreds of files is analysed again after each edit of one."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from heddle.analysis import coverage
from heddle.program.elf import Elf
from heddle.system import kept


class Program:
    """Two modules, an executable with their functions and one more, and which modules were listed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.listed: list[str] = []
        self.write("one", "void first(void) {}")
        self.write("two", "void second(void) {}")

    def write(self, name: str, source: str) -> None:
        file = self.folder / f"{name}.bc"
        command = ["clang-19", "-x", "c", "-", "-emit-llvm", "-c", "-o", str(file)]
        subprocess.run(command, input=source, text=True, check=True)

    def without_bitcode(self, *functions: str) -> tuple[list[str], list[str]]:
        """Of these functions of the executable; and the modules that were asked."""
        symbols = [SimpleNamespace(name=name, defined=True, function=True) for name in functions]
        elf = SimpleNamespace(path=self.folder / "program", symbols=lambda: symbols)
        modules = {file: kept.digest_of(file) for file in sorted(self.folder.glob("*.bc"))}
        self.listed.clear()
        return coverage.without_bitcode(cast(Elf, elf), modules), list(self.listed)


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "program"
    folder.mkdir()
    made = Program(folder)
    really = subprocess.run

    def counted(command: Sequence[str], **how: bool) -> subprocess.CompletedProcess[str]:
        made.listed += [Path(word).stem for word in command if word.endswith(".bc")]
        return cast("subprocess.CompletedProcess[str]", really(command, **how))  # type: ignore[call-overload]

    monkeypatch.setattr(coverage, "subprocess", SimpleNamespace(run=counted))
    return made


def test_only_modules_that_changed_are_asked_again(program: Program) -> None:
    assert program.without_bitcode("first", "second.part.0", "third") == (["third"], ["one", "two"])
    assert program.without_bitcode("first", "second", "third") == (["third"], [])
    program.write("two", "void third(void) {}")
    assert program.without_bitcode("first", "second", "third") == (["second"], ["two"])


def test_what_the_compiler_makes_of_a_function_counts_as_that_function(program: Program) -> None:
    variants = ("first.specialized.1", "first.cold", "second.llvm.81", "second.argprom", "__x86.get_pc_thunk.bx")
    assert program.without_bitcode("first", "second", *variants, "third.specialized.1")[0] == ["third"]


@pytest.mark.parametrize("damage", [b"", b"[]\n[]", b"\xff\n{}"])
def test_what_is_kept_and_damaged_is_asked_again(program: Program, damage: bytes) -> None:
    program.without_bitcode("first")
    (file,) = (program.folder.parent / "cache").rglob("*.json")
    file.write_bytes(damage)
    assert program.without_bitcode("third") == (["third"], ["one", "two"])
    file.write_bytes(file.read_bytes().replace(b"second", b"third "))
    assert program.without_bitcode("third") == (["third"], ["one", "two"])


def test_where_nothing_can_be_kept_it_is_asked_each_time(program: Program) -> None:
    (program.folder.parent / "cache").write_text("a file where the folder should be")
    for _ in range(2):
        assert program.without_bitcode("first", "third") == (["third"], ["one", "two"])
