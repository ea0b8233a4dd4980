"""Whether two builds of a source file differ only in the places of their lines, and if so, which line is where now.

An edit of a comment, or of a function above, changes the bitcode of a file without changing what it does: only debug
information moves. Both modules are printed as text by llvm-dis and compared line by line; everything that the text
shows must be equal, but for line and column numbers, the checksum of the source file, and numbers that can only be a
line of their own statement (`__LINE__`, as assertions pass it on). So nothing else has to be known here about what an
analysis looks at.
"""

import itertools
import re
import subprocess
from pathlib import Path

from heddle import places

Lines = dict[str, dict[int, int]]  # per source file, as elyze names it: line before -> line now

_NODE = re.compile(r"^(!\d+) = (?:distinct )?!(\w+)\((.*)\)$")
_LINE = re.compile(r"\b(line|scopeLine): (\d+)")
_UNSEEN = re.compile(r"(?:, )?\bcolumn: \d+|, checksumkind: \w+, checksum: \"\w+\"")
_FILE = re.compile(r'^filename: "((?:[^"\\]|\\.)*)", directory: "((?:[^"\\]|\\.)*)"')
_REFERENCE = re.compile(r"\b(file|scope): (!\d+)")
_LOCATION = re.compile(r"!dbg (!\d+)")
_NUMBER = re.compile(r"(?<=i32 noundef )\d+")
_LONGEST_STATEMENT = 20  # lines
_LEAST_LINE = 128  # numbers below may be descriptors, signals or commands, which an analysis does look at
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')


class DifferentError(Exception):
    """The modules differ in more than lines."""


def between(before: Path, now: Path) -> Lines:
    """Where the lines of `before` are in `now`; raises DifferentError if that is not all that changed."""
    old, new = _text(before), _text(now)
    if len(old) != len(new):
        raise DifferentError
    old_nodes, new_nodes = _Nodes(old), _Nodes(new)
    lines: Lines = {}

    def note(file: str | None, old_line: int, new_line: int) -> None:
        if (old_line == 0) != (new_line == 0) or file is None:
            if old_line != new_line:
                raise DifferentError
        elif lines.setdefault(file, {}).setdefault(old_line, new_line) != new_line:
            raise DifferentError

    for was, is_now in zip(old, new, strict=True):
        node = _NODE.match(was)
        if node is None:
            if was != is_now:
                _check_code(was, is_now, old_nodes, new_nodes)
            continue
        if was != is_now and _bare(was) != _bare(is_now):
            raise DifferentError
        for (_, old_line), (_, new_line) in zip(_numbers(was), _numbers(is_now), strict=True):
            note(old_nodes.file_of(node[1]), int(old_line), int(new_line))
    for moved in lines.values():
        places_now = [moved[line] for line in sorted(moved)]
        # In the same order, and no two on one line that were on two: what was sorted or grouped by line stays so.
        if any(a >= b for a, b in itertools.pairwise(places_now)):
            raise DifferentError
    return lines


def merge(into: Lines, lines: Lines) -> None:
    """Adds the lines of one more module; raises DifferentError where the two disagree about a file."""
    for file, moved in lines.items():
        known = into.setdefault(file, {})
        for old, new in moved.items():
            if known.setdefault(old, new) != new:
                raise DifferentError


def _text(module: Path) -> list[str]:
    tool = places.needed_llvm_tool("llvm-dis")
    done = subprocess.run([tool, "-o", "-", str(module)], capture_output=True, check=False)
    if done.returncode:
        raise DifferentError
    lines = done.stdout.decode("utf-8", "surrogateescape").split("\n")
    return [line for line in lines if not line.startswith("; ModuleID = ")]


def _bare(node: str) -> str:
    """A node of debug information without what may change. Texts in quotes are none of that, whatever they say."""
    kept: list[str] = []

    def keep(quoted: re.Match[str]) -> str:
        kept.append(quoted[0])
        return '"q"'

    outside = _QUOTED.sub(keep, node)
    is_file = "!DIFile(" in outside
    return _LINE.sub(r"\1: n", _UNSEEN.sub("", outside)) + "\0".join(kept[:2] if is_file else kept)


def _numbers(node: str) -> list[tuple[str, str]]:
    return _LINE.findall(_QUOTED.sub('""', node))


class _Nodes:
    """The debug information of one module: which file each node is about, and the line of each location."""

    def __init__(self, text: list[str]) -> None:
        self._bodies: dict[str, str] = {}
        self._files: dict[str, str | None] = {}
        for line in text:
            node = _NODE.match(line)
            if node is not None:
                self._bodies[node[1]] = node[3]

    def file_of(self, node: str) -> str | None:
        if node not in self._files:
            self._files[node] = None  # for circles, which valid debug information does not have
            self._files[node] = self._find_file(node)
        return self._files[node]

    def _find_file(self, node: str) -> str | None:
        body = self._bodies.get(node, "")
        name = _FILE.match(body)
        if name is not None:
            return _relative(name[1], name[2])
        references = dict(_REFERENCE.findall(_QUOTED.sub('""', body)))
        target = references.get("file") or references.get("scope")
        return None if target is None else self.file_of(target)

    def line(self, node: str) -> int:
        """0 if it has none."""
        numbers = _numbers(self._bodies.get(node, ""))
        return int(numbers[0][1]) if numbers else 0


def _relative(name: str, directory: str) -> str:
    """As elyze names files (elyze/ir/names.cpp)."""
    if directory and name.startswith(directory + "/"):
        name = name[len(directory) + 1 :]
    return name.removeprefix("./")


def _check_code(was: str, is_now: str, old: _Nodes, new: _Nodes) -> None:
    """Raises DifferentError unless the instructions differ only in numbers of lines that their statement stands on."""
    if _NUMBER.sub("n", was) != _NUMBER.sub("n", is_now):
        raise DifferentError
    location = _LOCATION.search(was)
    begins, begins_now = (old.line(location[1]), new.line(location[1])) if location else (0, 0)
    for number, number_now in zip(_NUMBER.findall(was), _NUMBER.findall(is_now), strict=True):
        if number == number_now:
            continue
        below = int(number) - begins
        known = begins != 0 and min(int(number), int(number_now)) >= _LEAST_LINE
        if not known or not 0 <= below < _LONGEST_STATEMENT or int(number_now) - begins_now != below:
            raise DifferentError
