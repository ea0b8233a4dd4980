"""Writes the C of a harness: for each function a case that makes its arguments, calls it and hands over the result."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from testing.specs.effects import Spec, may_do
from testing.specs.prototypes import Parameter, Prototype

_DESCRIPTOR = re.compile(r"_*(fd|sock|socket|fildes|s|sockfd|oldfd|fd1|in_fd|out_fd|fdin|fdout)$")
_LENGTH = re.compile(r"_*(n|len|size|nbytes|count|length|datlen|num|buflen|maxlen|n_bytes|data_len|howmany)$")
_INCLUDES = ("/usr/include", f"/usr/include/{os.uname().machine}-linux-gnu")
_OTHERS = {"pid", "pgid", "pgrp", "tid", "who", "id", "which"}
_AGGREGATES = ("struct", "union")
_NUMBERS = {"char", "short", "int", "long", "unsigned", "signed", "size_t", "ssize_t", "float", "double", "enum"}


@dataclass
class Table:
    """A file of calls: how arguments of a type are made, what single functions get, and what is not called."""

    types: dict[str, str] = field(default_factory=dict)
    calls: dict[str, list[str]] = field(default_factory=dict)
    before: dict[str, str] = field(default_factory=dict)
    unwatched: set[str] = field(default_factory=set)
    not_run: dict[str, str] = field(default_factory=dict)


def read_table(file: Path) -> Table:
    table = Table()
    reason, counts = "", True
    for line in _lines(file):
        if line.startswith("type "):
            name, _, expression = line.removeprefix("type ").partition("=")
            for one in name.split(","):
                table.types[one.strip()] = expression.strip()
        elif line.startswith("not run: "):
            reason, counts = line.removeprefix("not run: ").strip(), True
        elif line.startswith("without "):
            header, _, reason = line.removeprefix("without ").partition(": ")
            counts = not any((Path(folder) / header).exists() for folder in _INCLUDES)
        elif line.startswith("- ") and counts:
            table.not_run |= {name.strip(): reason for name in line.removeprefix("- ").split(",") if name.strip()}
        elif not line.startswith("- "):
            names, _, expressions = line.partition(":")
            before, bar, rest = expressions.partition("|>")
            for name in names.split(","):
                words = name.split()
                if words[1:] == ["unwatched"]:
                    table.unwatched.add(words[0])
                table.calls[words[0]] = _split(rest if bar else expressions)
                if bar:
                    table.before[words[0]] = before.strip()
    return table


def _lines(file: Path) -> list[str]:
    found: list[str] = []
    for line in file.read_text().splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if line.startswith("  ") and found:
            found[-1] += " " + line.strip()
        else:
            found.append(line.rstrip())
    return found


def _split(text: str) -> list[str]:
    """At commas outside of brackets and quotes."""
    parts, depth, quoted, start = [], 0, False, 0
    for index, letter in enumerate(text):
        if letter == '"' and text[index - 1] != "\\":
            quoted = not quoted
        if quoted:
            continue
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            parts.append(text[start:index].strip())
            start = index + 1
    parts.append(text[start:].strip())
    return [] if parts == [""] else parts


def labelled(expression: str, index: object) -> str:
    """With the argument's name for each `@` outside of quotes."""
    parts = re.split(r'("(?:[^"\\\\]|\\\\.)*")', expression)
    return "".join(part if part.startswith('"') else part.replace("@", f'"{index}"') for part in parts)


def is_complete(kind: str) -> bool:
    words = set(kind.replace("*", " * ").split())
    return "*" in words or bool(words & _NUMBERS)


def argument(index: int, parameter: Parameter, spec: Spec, table: Table, complete: set[str]) -> str:
    """An expression for an argument that the table says nothing about; empty if it takes more than its type."""
    name = f'"{index}"'
    kind = parameter.type.replace("restrict", "").strip()
    target = parameter.points_to
    bare = target.removeprefix("const ").removeprefix("volatile ").strip()
    for known in (kind, kind.removeprefix("const "), f"{bare} *", bare and f"struct {bare} *"):
        if known in table.types:
            return labelled(table.types[known], index)
    if parameter.is_function:
        return f"callback({index})"
    if target:
        sizes = [e["bytes"] for e in spec.effects if e["arg"] == index and not e.get("path") and "bytes" in e]
        by_argument = any(e.get("bytes_arg", -1) >= 0 and index in (e["arg"], e["other"]) for e in spec.effects)
        if by_argument:
            return f"block({name}, 16)" if "const" not in target else f'text_in({name}, "data", 16)'
        if bare in ("char", "unsigned char", "signed char") and target.startswith("const"):
            return f'text({name}, "data")'
        if bare == "char":
            return f'text_in({name}, "data", 256)' if may_do(spec, f"{index}", "r") else f"block({name}, 256)"
        if bare in ("void", "unsigned char"):
            return f"block({name}, {max(sizes)})" if sizes else f"block({name}, 256)"
        if bare in complete or is_complete(bare):
            size = f"sizeof({bare})"
            return (
                f"zeros({name}, {max(sizes)} > {size} ? {max(sizes)} : {size})" if sizes else f"zeros({name}, {size})"
            )
        return ""
    if kind in table.types:
        return labelled(table.types[kind], index)
    if parameter.meaning in ("double", "float", "long double"):
        return "0.5"
    if _DESCRIPTOR.match(parameter.name) and parameter.meaning == "int":
        return "some_file()"
    if "pid_t" in parameter.type or "pid_t" in parameter.meaning or parameter.name.strip("_") in _OTHERS:
        return ""  # a process that has nothing to do with the test
    if _LENGTH.match(parameter.name):
        return "16"
    if parameter.meaning.startswith(("struct", "union")) or parameter.meaning.endswith("[1]"):
        return ""
    return "1"


def case(name: str, prototype: Prototype, spec: Spec, table: Table, complete: set[str]) -> str:
    """The C of one case; raises ValueError where an argument cannot be made."""
    given = table.calls.get(name, [])
    lines = []
    if name in table.before:
        lines.append(table.before[name])
    names = []
    for index in range(max(len(prototype.parameters), len(given))):
        expression = labelled(given[index], index) if index < len(given) else "_"
        if expression == "_":
            if index >= len(prototype.parameters):
                raise ValueError(f"argument {index} of {name} does not exist")
            expression = argument(index, prototype.parameters[index], spec, table, complete)
            if not expression:
                raise ValueError(f"{name}: no way to make argument {index}, {prototype.parameters[index].type}")
        if index < len(prototype.parameters):
            kind = prototype.parameters[index].type
            if "SOCKADDR_ARG" in kind:
                kind = "struct sockaddr *"
            by_value = not kind.rstrip().endswith("*") and prototype.parameters[index].meaning.startswith(_AGGREGATES)
            cast = "" if by_value else f"(__typeof__({kind}))"
            lines.append(f"__typeof__({kind}) a{index} = {cast}({expression});")
        else:
            lines.append(f"__auto_type a{index} = {expression};")
        names.append(f"a{index}")
    lines += [f"restrict_blocks(uses_{name});", "watch();"]
    call = f"({name})({', '.join(names)})"
    if prototype.result == "void":
        lines += [f"{call};", "unwatch();"]
    else:
        lines += [f"__auto_type result = {call};", "unwatch();"]
        if prototype.returns_pointer:
            lines.append("returned_pointer((const void *)(uintptr_t)result);")
        elif not prototype.result.startswith(_AGGREGATES) and prototype.result not in ("div_t", "ldiv_t"):
            lines.append("returned_number((long)result);")
    body = "\n    ".join(lines)
    return f"""static void case_{name}(void) {{
  for (int turn = 0; turn < 2; ++turn) {{
    start_round(turn);
    {body}
    finish_round();
  }}
}}
"""


def uses(name: str, spec: Spec) -> str:
    """What may be done to blocks, by the beginning of their names: the first entry that fits counts."""
    entries = []
    for index in range(12):
        for depth in ("@0", "@8", "@16", "@24", "@32", "@0@0", "@0@8", "@0@16", "@16@0", "@24@0", ""):
            label = f"{index}{depth}"
            use = "w" if may_do(spec, label, "w") else "r" if may_do(spec, label, "r") else "n"
            entries.append(f'"{label}", "{use}"')
    return f"static const char *const uses_{name}[] = {{{', '.join(entries)}, 0}};\n"


def harness(
    head: str, prototypes: Mapping[str, Prototype], specs: Mapping[str, Spec], table: Table, complete: set[str]
) -> tuple[str, dict[str, str]]:
    """The C of a harness, and for each function that it cannot call why."""
    parts = [head]
    rows, why = [], {}
    for name, spec in specs.items():
        if name in table.not_run:
            continue
        prototype = prototypes.get(name)
        if prototype is None:
            why[name] = "no header declares it"
            continue
        try:
            text = case(name, prototype, spec, table, complete)
        except ValueError as problem:
            why[name] = str(problem)
            continue
        parts += [uses(name, spec), text]
        rows.append(f'  {{"{name}", case_{name}, {"true" if name in table.unwatched else "false"}}},')
    parts.append("const struct spec_case kCases[] = {\n" + "\n".join(rows) + "\n};")
    parts.append("const size_t kCaseCount = sizeof kCases / sizeof kCases[0];\n")
    return "\n".join(parts), why
