"""A program file that the user named: found as a shell would find it, and judged before anything starts.

Every reason why a program could not run in parallel is told here, before it starts, rather than by a run that looks
parallel and is not.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from heddle.errors import BadInputError
from heddle.program import libraries
from heddle.program.elf import Elf, ElfError

_EVENT_LIBRARY = "libevent"
_RUNTIME = "libmultivent"
# Defined inside a program only if the library was linked into it.
_LIBRARY_MARKS = frozenset(("event_base_loop", "event_base_new_with_config", "event_add"))


@dataclass(frozen=True)
class Program:
    given: str  # as the user typed it; becomes argv[0]
    path: Path
    elf: Elf
    folders: tuple[str, ...] = ()  # of libraries, which a script of libtool adds to LD_LIBRARY_PATH

    @property
    def constraints_file(self) -> Path:
        """Beside the program, or beside the file that a symbolic link in PATH leads to."""
        beside = self.path.with_name(self.path.name + ".constraints.json")
        real = self.path.resolve()
        target = real.with_name(real.name + ".constraints.json")
        return target if target.exists() and not beside.exists() else beside


def find(given: str) -> Path:
    """The file that a shell would start for this word."""
    if "/" in given:
        path = Path(given)
        if path.is_dir():
            raise BadInputError(f"{given} is a directory", "name the program file in it")
        if not path.exists():
            raise BadInputError(f"{given} does not exist", "name a compiled program")
        return path
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        candidate = Path(folder or ".", given)
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return candidate
    if Path(given).exists():
        raise BadInputError(f"{given} is not in PATH", f"write ./{given} for the one in this folder")
    raise BadInputError(f"{given} was not found in PATH", "name a compiled program, such as ./server")


def inspect(given: str, path: Path) -> Program:
    """The program, if it is one that was compiled for a Linux machine; its uses are judged by the functions below.

    For the script that libtool puts in a program's place it is the program behind it.
    """
    wrapped = libraries.behind_script(path)
    if wrapped is not None:
        if not wrapped.program.is_file():
            raise BadInputError(
                f"{given} is a script of libtool without its program", "start it once, or build it again"
            )
        path = wrapped.program
    try:
        elf = Elf(path)
    except ElfError as error:
        if _starts_with(path, b"#!"):
            raise BadInputError(f"{given} is a script, not an ELF file", "name the program that it starts") from None
        if _starts_with(path, b"\x7fELF"):
            raise BadInputError(f"{given} is a damaged ELF file ({error})", "build it again") from None
        raise BadInputError(f"{given} is not an ELF file", "name a compiled program") from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadInputError(f"{given} cannot be read ({reason})", "check its permissions") from None
    if elf.is_object:
        raise BadInputError(f"{given} is an object file, not a program", "name the linked program")
    return Program(given, path, elf, wrapped.folders if wrapped is not None else ())


def check_runnable(program: Program, serial: bool) -> None:
    """What `heddle run` needs of a program; a serial run needs no symbols."""
    given, elf = program.given, program.elf
    if not os.access(program.path, os.X_OK):
        raise BadInputError(f"{given} may not be executed", f"chmod +x {given}")
    check_libevent(program)
    if elf.machine != Elf(Path("/proc/self/exe")).machine:
        raise BadInputError(f"{given} was compiled for another kind of machine", "build it on this one")
    if _changes_privileges(program.path):
        raise BadInputError(
            f"{given} gains privileges when it starts (set-user-ID or capabilities), so nothing can be loaded into it",
            "run a copy without them",
        )
    if not serial:
        check_symbols(program)


def check_symbols(program: Program) -> None:
    if not program.elf.has_symbol_table():
        raise BadInputError(
            f"{program.given} is stripped, so its handlers cannot be told apart",
            "link it without -s and do not strip it, or use heddle run --serial",
        )


def check_libevent(program: Program) -> None:
    given, elf = program.given, program.elf
    linked_in = any(s.defined and s.name in _LIBRARY_MARKS for s in elf.symbols())
    if linked_in:
        raise BadInputError(f"{given} has libevent linked into it", "link it with the shared library (-levent, not .a)")
    if elf.is_static:
        raise BadInputError(
            f"{given} is statically linked, so nothing can be loaded into it", "link it without -static"
        )
    if not uses_libevent(program):
        raise BadInputError(f"{given} does not use libevent", "run it without heddle")


def uses_libevent(program: Program) -> bool:
    """Whether it loads libevent, or what stands for it."""
    # A program that is linked with the runtime may need no other library for events.
    if any(name.startswith((_EVENT_LIBRARY, _RUNTIME)) for name in program.elf.needed()):
        return True
    everything = libraries.of_build(program.path, program.folders).libraries
    return any(_EVENT_LIBRARY in library.name for library in everything)


def _starts_with(path: Path, mark: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(mark)) == mark


def _changes_privileges(path: Path) -> bool:
    status = path.stat()
    if status.st_mode & 0o4000 and status.st_uid != os.getuid():
        return True
    if status.st_mode & 0o2000 and status.st_gid != os.getgid():
        return True
    try:
        return bool(os.getxattr(path, "security.capability"))
    except OSError:
        return False
