"""One set of modules from a program and the shared libraries of its own build.

The analysis links all modules as if they were one program. Libraries are not quite that, so each file is first brought
to what the dynamic linker sees of it: its modules become one, in which only what the file exports keeps its name, and
two files may each have a hidden function of the same name. Where two files export one name, the first in the order of
loading answers for it, but code inside the other may have been compiled to call its own. That is not told apart here: a
library that exports what comes before it already is left out, with the reason, and counts as one without bitcode.
Inline functions of C++ are exported by each file that uses them; they are weak, and the same everywhere.
"""

import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from heddle.analysis import coverage
from heddle.program import bitcode
from heddle.program.elf import Elf
from heddle.program.libraries import Library
from heddle.system import kept, places

_WEAK = frozenset("VvWwu")


class _NotJoinedError(Exception):
    """Why this file is left out."""


@dataclass(frozen=True)
class Taken:
    name: str
    build_id: str
    modules: int


@dataclass
class Joined:
    modules: tuple[Path, ...]
    taken: list[Taken] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)  # library, and why
    without_bitcode: list[str] = field(default_factory=list)  # functions of the libraries that are taken


def join(program: Elf, modules: Sequence[Path], needed: Iterable[Library], scratch: Path) -> Joined:
    """`modules` are the program's; `needed` its libraries in the order of loading."""
    joined = Joined(tuple(modules))
    files: list[Path] = []
    known: dict[str, bool] = {}  # name -> weak, of all files so far
    for number, library in enumerate(needed):
        elf = library.elf()
        if elf is None:
            joined.left_out.append((library.name, "it cannot be read"))
            continue
        section = elf.section(bitcode.SECTION)
        if section:
            try:
                if not files:
                    files = [_as_loaded(program, modules, "program", scratch, {"main"})]
                    known |= _functions(program) | _definitions(files[0])
                file, taken = _take(library.name, elf, section, f"library{number}", scratch, known)
                files.append(file)
                joined.taken.append(taken)
                joined.without_bitcode += coverage.without_bitcode(elf, {file: kept.digest_of(file)})
            except (_NotJoinedError, bitcode.BitcodeError) as problem:
                joined.left_out.append((library.name, str(problem)))
        known = {symbol.name: symbol.weak for symbol in elf.dynamic_symbols() if symbol.defined} | known
    if joined.taken:
        joined.modules = tuple(files)
    return joined


def _take(name: str, elf: Elf, section: bytes, stem: str, scratch: Path, known: dict[str, bool]) -> tuple[Path, Taken]:
    build_id = elf.build_id()
    if build_id is None:
        raise _NotJoinedError("it has no build id")
    if not elf.has_symbol_table():
        raise _NotJoinedError("it is stripped")
    modules = write(bitcode.unpack(section), scratch, f"{stem}-")
    file = _as_loaded(elf, modules, stem, scratch, set())
    for symbol, weak in sorted(_definitions(file).items()):
        if symbol in known and not (weak and known[symbol]):
            raise _NotJoinedError(f"it exports {symbol}, which is defined before it already")
    return file, Taken(name, build_id, len(modules))


def write(modules: Iterable[bitcode.Module], scratch: Path, prefix: str = "") -> list[Path]:
    """Each module as a file of its own."""
    written = []
    for number, module in enumerate(modules):
        written.append(scratch / f"{prefix}{number:04}-{Path(module.source).name}.bc")
        written[-1].write_bytes(module.content)
    return written


def _as_loaded(elf: Elf, modules: Sequence[Path], stem: str, scratch: Path, kept: set[str]) -> Path:
    """The modules of one file as one, in which only exported names, and those in `kept`, can be seen from outside."""
    exported = kept | {symbol.name for symbol in elf.dynamic_symbols() if symbol.defined}
    names, linked, target = (scratch / f"{stem}.{ending}" for ending in ("exported", "linked.bc", "bc"))
    names.write_text("".join(f"{name}\n" for name in sorted(exported)))
    _llvm("llvm-link", "-o", linked, *modules)
    _llvm("opt", "-passes=internalize", f"-internalize-public-api-file={names}", linked, "-o", target)
    return target


def _llvm(tool: str, *words: str | Path) -> str:
    done = subprocess.run(
        [places.needed_llvm_tool(tool), *map(str, words)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise _NotJoinedError(f"its modules do not link: {(done.stderr.strip().splitlines() or ['?'])[-1][:160]}")
    return done.stdout


def _definitions(module: Path) -> dict[str, bool]:
    """What other files can see of it: name -> weak."""
    found = {}
    for line in _llvm("llvm-nm", "--defined-only", "--extern-only", "--format=posix", module).splitlines():
        name, kind = line.split()[:2]
        found[name] = kind in _WEAK
    return found


def _functions(program: Elf) -> dict[str, bool]:
    """The functions that the program exports. Its variables do not count: they may be copies of a library's."""
    return {symbol.name: symbol.weak for symbol in program.dynamic_symbols() if symbol.defined and symbol.function}
