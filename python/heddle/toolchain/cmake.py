"""CMake keeps the compiler as an absolute path, and then calls it past the stand-ins.

A folder that is configured under `heddle build` keeps the path of a stand-in, and all is well. In two cases it does
not: if CMake's command line names another compiler, our own `cmake` puts the stand-in's path in its place; if the
folder was configured earlier, the user can only be told.
"""

import itertools
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

_GIVEN = re.compile(r"(-D)?(CMAKE_(?:C|CXX)_COMPILER)(:\w+)?=(.*)", re.DOTALL)
_KEPT = re.compile(r"^CMAKE_(?:C|CXX)_COMPILER:\w+=(/.*)$", re.MULTILINE)
_FOLDER_OPTIONS = ("--build", "-B", "-C", "--directory")


def main(arguments: Sequence[str]) -> int:
    """Called as `cmake`: the same command, found behind us in PATH."""
    ours = Path(sys.argv[0]).absolute().parent
    folders = [f for f in os.environ.get("PATH", os.defpath).split(os.pathsep) if f and Path(f).absolute() != ours]
    for folder in folders:
        real = Path(folder, "cmake")
        if real.is_file() and os.access(real, os.X_OK):
            os.execv(real, [str(real), *with_stand_ins(arguments, ours)])
    os.write(2, b"heddle: cmake was not found: install it\n")
    return 127


def with_stand_ins(arguments: Sequence[str], stand_ins: Path) -> list[str]:
    """The arguments with every compiler that has a stand-in replaced by it."""
    changed = []
    for position, argument in enumerate(arguments):
        given = _GIVEN.fullmatch(argument)
        if given and (given[1] or (position and arguments[position - 1] == "-D")):
            instead = stand_ins / Path(given[4]).name
            if given[4] and instead.is_file():
                argument = f"{given[1] or ''}{given[2]}{given[3] or ''}={instead}"
        changed.append(argument)
    return changed


def compiler_past_us(command: Sequence[str], stand_ins: Path) -> tuple[Path, str] | None:
    """The CMake cache that this build command uses and that names another compiler, and that compiler."""
    words = [word for argument in command for word in argument.split()]  # `sh -c 'cmake --build x'` too
    folders = [Path()]
    for option, value in itertools.pairwise(words):
        if option in _FOLDER_OPTIONS:
            folders.append(Path(value))
    for folder in folders:
        cache = folder / "CMakeCache.txt"
        try:
            kept = _KEPT.findall(cache.read_text(errors="replace"))
        except OSError:
            continue
        for compiler in kept:
            if Path(compiler).parent != stand_ins:
                return cache, compiler
    return None
