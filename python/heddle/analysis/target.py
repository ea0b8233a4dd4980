"""From what the user names to the bitcode modules of one program: a program file, .bc and .ll files, or C files."""

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from heddle.analysis import coverage, joining
from heddle.analysis.joining import Taken
from heddle.errors import BadInputError
from heddle.program import bitcode, executable, libraries
from heddle.system import kept, places

_BITCODE_FLAGS = ("-g", "-O0", "-Xclang", "-disable-O0-optnone", "-emit-llvm", "-c", "-w")
_CPLUSPLUS = (".cc", ".cpp", ".cxx", ".C")
_READ_DIRECTLY = (".c", *_CPLUSPLUS, ".bc", ".ll")
_BITCODE_MARKS = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")  # plain, and in the wrapper that some systems use


@dataclass(frozen=True)
class Target:
    name: str
    build_id: str
    modules: tuple[Path, ...]
    default_output: Path
    without_bitcode: tuple[str, ...] = ()  # functions that the analyser will not see
    libraries: tuple[Taken, ...] = ()  # of the program's own build
    left_out: tuple[tuple[str, str], ...] = ()  # other libraries of that kind, and why
    digests: Mapping[Path, str] = field(default_factory=dict)  # of modules, as far as they are known


def prepare(inputs: Sequence[str], compiler_flags: Sequence[str], scratch: Path) -> Target:
    """The bitcode modules of one program: from an ELF file, from .bc files, or compiled from C files."""
    for name in inputs:
        if "/" not in name and Path(name).suffix in _READ_DIRECTLY and not Path(name).exists():
            raise BadInputError(f"{name} does not exist", "name a program, .bc or .ll files, or C files")
    paths = [executable.find(name if "/" in name or not Path(name).is_file() else f"./{name}") for name in inputs]
    if all(_compilable(path) or _is_bitcode(path) for path in paths):
        modules = tuple(
            _compile(path, compiler_flags, scratch / f"{i}.bc") if _compilable(path) else path.absolute()
            for i, path in enumerate(paths)
        )
        return Target(paths[0].stem, "none", modules, _beside(paths[0]))
    if len(paths) > 1:
        raise BadInputError(
            "several files that are not all C, C++ or bitcode", "name one program, or such files of one program"
        )
    return _from_program(inputs[0], paths[0], scratch)


def _from_program(given: str, path: Path, scratch: Path) -> Target:
    target = executable.inspect(given, path)
    executable.check_symbols(target)
    executable.check_event_library(target, places.multivent())
    build_id = target.elf.build_id()
    section = target.elf.section(bitcode.SECTION)
    if not section:
        raise BadInputError(
            f"{given} carries no bitcode", "build it with heddle build, such as: make clean; heddle build -- make"
        )
    if build_id is None:
        raise BadInputError(f"{given} has no build id", "link it with -Wl,--build-id, as heddle build does")
    try:
        found = bitcode.unpack(section)
    except bitcode.BitcodeError as error:
        raise BadInputError(
            f"the bitcode in {given} is damaged ({error})", "build it again with heddle build"
        ) from None
    modules = joining.write(found, scratch)
    # Digests are made here, while the modules are still in memory.
    digests = {file: kept.digest(module.content) for file, module in zip(modules, found, strict=True)}
    unseen = coverage.without_bitcode(target.elf, digests)
    coverage.refuse_impostors(given, unseen)
    needed = libraries.of_build(target.path, target.folders)
    joined = joining.join(target.elf, modules, needed.libraries, scratch)
    coverage.refuse_impostors("a library of the program", joined.without_bitcode)
    unseen = sorted({*unseen, *joined.without_bitcode})
    left_out = [*joined.left_out, *((name, "it was not found: set LD_LIBRARY_PATH") for name in needed.missing)]
    return Target(
        target.path.name,
        build_id,
        joined.modules,
        _beside(target.path),
        tuple(unseen),
        tuple(joined.taken),
        tuple(left_out),
        digests,
    )


def _compile(source: Path, flags: Sequence[str], target: Path) -> Path:
    compiler = places.needed_llvm_tool("clang" if source.suffix == ".c" else "clang++")
    done = subprocess.run(
        [compiler, *flags, *_BITCODE_FLAGS, "-o", str(target), str(source.absolute())],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        errors = (
            [line for line in done.stderr.splitlines() if "error" in line]
            or done.stderr.splitlines()
            or ["clang failed"]
        )
        raise BadInputError(
            f"{source} does not compile ({errors[0].strip()})", "correct it, or give flags with --cflags"
        )
    return target


def _compilable(path: Path) -> bool:
    return path.suffix == ".c" or path.suffix in _CPLUSPLUS


def _is_bitcode(path: Path) -> bool:
    """Whether the file holds LLVM bitcode or LLVM assembly."""
    if path.suffix == ".ll":
        return True
    try:
        with path.open("rb") as file:
            return file.read(4) in _BITCODE_MARKS
    except OSError as error:
        raise BadInputError(f"{path} cannot be read ({error.strerror})", "check its permissions") from None


def _beside(path: Path) -> Path:
    return path.with_name(path.name + ".constraints.json")
