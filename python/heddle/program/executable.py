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
_LIBEV = "libev.so.4"
_RUNTIME = "libmultivent"
# Defined inside a program only if the library was linked into it.
_LIBRARY_MARKS = {
    "libevent": frozenset(("event_base_loop", "event_base_new_with_config", "event_add")),
    "libev": frozenset(("ev_run", "ev_io_start", "ev_invoke_pending")),
}


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


def check_runnable(program: Program, runtime: Path, serial: bool) -> None:
    """What `heddle run` needs of a program; a serial run needs no symbols."""
    given, elf = program.given, program.elf
    if not os.access(program.path, os.X_OK):
        raise BadInputError(f"{given} may not be executed", f"chmod +x {given}")
    check_event_library(program, runtime)
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


def check_event_library(program: Program, runtime: Path) -> None:
    """Whether it uses an event library that the runtime can stand for."""
    given, elf = program.given, program.elf
    for library, marks in _LIBRARY_MARKS.items():
        if any(s.defined and s.name in marks for s in elf.symbols()):
            raise BadInputError(
                f"{given} has {library} linked into it", f"link it with the shared library (-l{library[3:]}, not .a)"
            )
    if elf.is_static:
        raise BadInputError(
            f"{given} is statically linked, so nothing can be loaded into it", "link it without -static"
        )
    if not uses_event_library(program):
        raise BadInputError(f"{given} uses neither libevent nor libev", "run it without heddle")
    _check_libev(program, runtime)


def uses_event_library(program: Program) -> bool:
    """Whether it loads libevent or libev, or what stands for them."""
    # A program that is linked with the runtime may need no other library for events.
    if any(name.startswith((_EVENT_LIBRARY, _RUNTIME, _LIBEV)) for name in program.elf.needed()):
        return True
    everything = libraries.of_build(program.path, program.folders).libraries
    return any(_EVENT_LIBRARY in library.name or library.name == _LIBEV for library in everything)


def _check_libev(program: Program, runtime: Path) -> None:
    """Whether the runtime has all that is called of libev.

    A later libev may have more. And libev brings functions of libevent, whose structures are laid out as libev's: in a
    program without libevent they are called of libev, and the runtime has libevent's.
    """
    loaded = libraries.of_build(program.path, program.folders).libraries
    libev = next((library.elf() for library in loaded if library.name == _LIBEV), None)
    if libev is None:
        return
    has_libevent = any(library.name.startswith(_EVENT_LIBRARY) for library in loaded)
    theirs = {s.name for s in libev.symbols() if s.defined}
    # Who only analyses may not have built it.
    names = (Elf(runtime).section(".dynstr") or b"") if runtime.exists() else b""
    ours = set(names.decode(errors="replace").split("\0")) if names else theirs
    emulated = set() if has_libevent else {name for name in theirs if name.startswith("event_")}
    unknown = {name for name in theirs if name.startswith("ev_")} - ours
    users = [(program.given, program.elf), *((each.name, each.elf()) for each in loaded if each.name != _LIBEV)]
    for name, elf in users:
        wanted = {s.name for s in elf.symbols() if not s.defined} if elf is not None else set()
        if wanted & emulated:
            raise BadInputError(
                f"{name} calls {min(wanted & emulated)} of libev, which stands for libevent's there",
                "link it with libevent itself, or run it without heddle",
            )
        if wanted & unknown:
            raise BadInputError(
                f"{name} calls {min(wanted & unknown)} of libev, which the runtime does not have",
                "run it without heddle",
            )


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
