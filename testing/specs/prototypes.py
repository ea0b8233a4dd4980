"""What the installed headers declare: the result and the parameters of each function, as clang reads them."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

# Headers are sorted by name, though some ask for others to come first.
FLAGS = ("-D_GNU_SOURCE", "-DZSTD_STATIC_LINKING_ONLY", "-include", "stdio.h", "-include", "sys/types.h")

_FUNCTION = re.compile(r"^[|`]-FunctionDecl .*? (\w+) '([^']*)'")
_PARAMETER = re.compile(r"^[| ] [|`]-ParmVarDecl .*?'([^']*)'(?::'([^']*)')?")
_RECORD = re.compile(r"RecordDecl .*? (struct|union) (\w+) definition")
_ALIAS = re.compile(r"^[|`]-TypedefDecl .*? (\w+) '([^']*)'(?::'([^']*)')?")
_NAMED = re.compile(r" (\w+) '")
_MEMBER = re.compile(r"^[| ]+[|`]-FieldDecl .*?'([^']*)'(?::'([^']*)')?")


@dataclass(frozen=True)
class Parameter:
    name: str
    type: str
    meaning: str  # the type without its typedef

    @property
    def points_to(self) -> str:
        """The type behind the pointer; empty if it is none, or one to a function."""
        if self.is_function or not self.meaning.rstrip().endswith(("*", "*restrict", "*const")):
            return ""
        spelled = self.type if self.type.rstrip().endswith(("*", "*restrict", "*const")) else self.meaning
        return spelled.rstrip().removesuffix("restrict").removesuffix("const").rstrip().removesuffix("*").strip()

    @property
    def leads_to_bytes(self) -> bool:
        """Of no type of their own; what is declared as `char` is a text."""
        bare = re.sub(r"\b(const|restrict|volatile)\b", "", self.meaning)
        return " ".join(bare.split()) in ("unsigned char *", "void *")

    @property
    def is_function(self) -> bool:
        return "(*)" in self.meaning


@dataclass(frozen=True)
class Prototype:
    name: str
    result: str
    parameters: tuple[Parameter, ...]
    variadic: bool

    @property
    def returns_pointer(self) -> bool:
        return self.result.endswith("*")


@cache
def _dumped(header: Path, folders: tuple[Path, ...]) -> list[str]:
    includes = [f"-I{folder}" for folder in folders]
    command = [
        "clang-19",
        *FLAGS,
        "-fsyntax-only",
        "-w",
        "-fno-color-diagnostics",
        *includes,
        "-Xclang",
        "-ast-dump",
        header,
    ]
    done = subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True)
    return done.stdout.splitlines()


def read(header: Path, folders: list[Path]) -> tuple[dict[str, Prototype], set[str]]:
    """All functions that the file and what it includes declare, and the types that have a size."""
    found: dict[str, Prototype] = {}
    complete: set[str] = set()
    name, kind = "", ""
    parameters: list[Parameter] = []

    def finish() -> None:
        if name and (name not in found or len(parameters) > len(found[name].parameters)):
            found[name] = Prototype(name, kind[: _opening(kind)].strip(), tuple(parameters), kind.endswith("...)"))

    for line in _dumped(header, tuple(folders)):
        if function := _FUNCTION.match(line):
            finish()
            name, kind = function.groups()
            parameters = []
        elif line.startswith(("|-", "`-")):
            finish()
            name = ""
            if record := _RECORD.search(line):
                complete.add(f"{record.group(1)} {record.group(2)}")
            elif (alias := _ALIAS.match(line)) and _has_size(*alias.groups(), complete):
                complete.add(alias.group(1))
        elif name and (parameter := _PARAMETER.match(line)):
            spelled, meant = parameter.groups()
            called = _NAMED.search(line[: parameter.start(1)])
            parameters.append(Parameter(called.group(1) if called else "", spelled, meant or spelled))
    finish()
    return found, complete


def members(header: Path, folders: list[Path]) -> dict[str, list[str]]:
    """The types of the members of each structure and union that has a name and is defined."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in _dumped(header, tuple(folders)):
        if line.startswith(("|-", "`-")):
            record = _RECORD.search(line)
            alias = _ALIAS.match(line)
            # A structure without a name is defined before the typedef that names it.
            if alias and "unnamed" in (alias.group(3) or alias.group(2)) and name == "?":
                found[alias.group(1)] = found.pop("?")
            name = f"{record.group(1)} {record.group(2)}" if record else "?" if line.endswith("definition") else ""
            if name:
                found[name] = []
        elif name and (member := _MEMBER.match(line)):
            found[name].append(member.group(2) or member.group(1))
    return found


def may_hold_pointers(kind: str, known: dict[str, list[str]], seen: frozenset[str] = frozenset()) -> bool:
    """May there be a pointer in an object of this type? Into one whose type is not defined no program looks."""
    bare = re.sub(r"\b(const|volatile|restrict)\b", "", kind).split("[")[0].strip()
    if bare == "void" or "*" in bare or "union (" in bare or "struct (" in bare:
        return True
    if bare in seen or bare not in known:
        return False
    return any(may_hold_pointers(member, known, seen | {bare}) for member in known[bare])


def _has_size(name: str, spelled: str, meant: str | None, complete: set[str]) -> bool:
    """Of what a typedef names."""
    if spelled.startswith(("struct ", "union ")):
        return spelled in complete or "(" in spelled or spelled.split()[-1] == name
    return spelled in complete or meant is None or not meant.startswith(("struct ", "union "))


def _opening(kind: str) -> int:
    """Where the list of parameters begins in `char *(int, void (*)(int))`."""
    depth = 0
    for index in range(len(kind) - 1, -1, -1):
        depth += (kind[index] == ")") - (kind[index] == "(")
        if depth == 0 and kind[index] == "(":
            return index
    return len(kind)
