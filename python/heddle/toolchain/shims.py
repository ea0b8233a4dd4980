"""Stand-ins for every C and C++ compiler a build might call by name.

A build finds its compiler through CC and CXX, or by a name in PATH whatever CC says (`CC = gcc` in a Makefile). So the
environment of the build has both: CC and CXX name the stand-ins, and their folder comes first in PATH. The folder
stays where it is between builds, because a configure step writes the compiler's path into what it makes. `cmake` is
there too, for it is often given the absolute path of a compiler.
"""

import os
import re
import sys
from pathlib import Path

from heddle.system import places

_COMPILER = re.compile(r"([a-z0-9_]+-linux-gnu-)?(cc|gcc|clang|c89|c99|c\+\+|g\+\+|clang\+\+)(-\d+)?")
_ALWAYS = ("cc", "gcc", "clang", "c89", "c99", "c++", "g++", "clang++")


def names(path: str) -> set[str]:
    """The compiler names to stand in for: the usual ones and whatever else of that kind lies in PATH."""
    found = set(_ALWAYS)
    for folder in filter(None, path.split(os.pathsep)):
        try:
            entries = os.listdir(folder)  # noqa: PTH208
        except OSError:
            continue
        found.update(name for name in entries if _COMPILER.fullmatch(name))
    return found


def script(module: str = "wrapper", call: str | None = None) -> str:
    """The program behind every name. -I and -S: start fast, and untouched by the build's own Python settings."""
    package_root = Path(__file__).absolute().parents[2]
    if call is None:
        tools = (places.needed_llvm_tool("clang"), places.needed_llvm_tool("clang++"), str(places.build()))
        call = f"main(sys.argv[0], sys.argv[1:], {tools!r})"
    return (
        f"#!{sys.executable} -IS\n"
        "import sys\n"
        f"sys.path.insert(0, {str(package_root)!r})\n"
        f"from heddle.toolchain import {module}\n"
        f"sys.exit({module}.{call})\n"
    )


def install() -> Path:
    """Makes the folder of stand-ins, or brings it up to date; safe against another build doing the same."""
    folder = places.root() / "build" / "compilers"
    folder.mkdir(parents=True, exist_ok=True)
    contents = dict.fromkeys(names(os.environ.get("PATH", "")), script())
    contents["cmake"] = script("cmake", "main(sys.argv[1:])")
    for name, content in contents.items():
        shim = folder / name
        if shim.is_file() and shim.read_text() == content:
            continue
        fresh = folder / f".{name}.{os.getpid()}"
        fresh.write_text(content)
        fresh.chmod(0o755)
        fresh.replace(shim)
    return folder


def environment(folder: Path, log: Path) -> dict[str, str]:
    """The environment of the build."""
    changed = dict(os.environ)
    changed["PATH"] = os.pathsep.join(filter(None, (str(folder), os.environ.get("PATH", ""))))
    # In a make rule a path with a blank falls apart; the plain name then finds the same file through PATH.
    prefix = "" if re.search(r"\s", str(folder)) else f"{folder}/"
    changed["CC"], changed["CXX"] = f"{prefix}cc", f"{prefix}c++"
    changed["HEDDLE_BUILD_LOG"] = str(log)
    return changed
