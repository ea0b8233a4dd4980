"""From what the user names to a constraints document: bitcode out of a program, elyze over it, the result checked."""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from heddle import constraints, kept, libraries, places, program, reuse, schemas
from heddle.constraints import Constraints
from heddle.errors import BadInputError
from heddle.schemas import Document
from heddle.toolchain import bitcode, coverage, joining
from heddle.toolchain.joining import Taken

_BITCODE_FLAGS = ("-g", "-O0", "-Xclang", "-disable-O0-optnone", "-emit-llvm", "-c", "-w")
_CPLUSPLUS = (".cc", ".cpp", ".cxx", ".C")
_READ_DIRECTLY = (".c", *_CPLUSPLUS, ".bc", ".ll")
_ROOM = 16  # times what is analysed: its modules, those of its libraries, the document
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
    digests: Mapping[Path, str] = field(default_factory=dict)  # of modules, where they are known already


@dataclass(frozen=True)
class Analysis:
    document: Document
    written_to: Path
    without_bitcode: tuple[str, ...]
    fresh: bool = True  # made now, not read from a file
    built: bool = True  # from a program or a document, which are older than sources that were edited since
    libraries: tuple[Taken, ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()

    @property
    def constraints(self) -> Constraints:
        return Constraints(self.document)


def analyze(
    inputs: Sequence[str],
    compiler_flags: Sequence[str] = (),
    output: Path | None = None,
    specs: Sequence[Path] = (),
    use_cache: bool = True,
) -> Analysis:
    """Writes the document beside what was analysed, or to `output`; `specs` are files of the user's own.

    With `use_cache`, what the last analysis of the same program found is used again where it still holds.
    """
    with tempfile.TemporaryDirectory(prefix="heddle-analyze-", dir=_memory(inputs)) as folder:
        scratch = Path(folder)
        target = prepare(inputs, compiler_flags, scratch)
        analyser = places.built(places.elyze(), "the analyser")
        cache = reuse.Cache(target, analyser, (*sorted(places.specs().glob("*.yaml")), *specs)) if use_cache else None
        text = cache.find(scratch) if cache is not None else None
        known = text is not None
        if text is None:
            written, numbers = scratch / "constraints.json", scratch / "numbers.json"
            _run_elyze(analyser, target, specs, written, numbers)
            text = written.read_bytes()
        document = schemas.parse(text, "constraints", "what the analyser wrote")
        if not known:
            # What is kept was checked before it was.
            schemas.check(document, "constraints", "what the analyser wrote")
            constraints.check_references(document, "what the analyser wrote")
            if cache is not None:
                cache.keep(text, numbers.read_bytes())
        if target.libraries:
            document["program"]["libraries"] = [
                {"name": library.name, "build_id": library.build_id} for library in target.libraries
            ]
            text = (json.dumps(document, indent=1) + "\n").encode()
        where = output if output is not None else target.default_output
        try:
            where.write_bytes(text)
        except OSError as error:
            raise BadInputError(f"{where} cannot be written ({error.strerror})", "name a file with -o") from None
    built = target.build_id != "none"
    return Analysis(document, where, target.without_bitcode, True, built, target.libraries, target.left_out)


def read(file: Path) -> Analysis:
    """What an earlier analysis wrote."""
    return Analysis(constraints.load(file).document, file, (), fresh=False)


def prepare(inputs: Sequence[str], compiler_flags: Sequence[str], scratch: Path) -> Target:
    """The bitcode modules of one program: from an ELF file, from .bc files, or compiled from C files."""
    for name in inputs:
        if "/" not in name and Path(name).suffix in _READ_DIRECTLY and not Path(name).exists():
            raise BadInputError(f"{name} does not exist", "name a program, .bc or .ll files, or C files")
    paths = [program.find(name if "/" in name or not Path(name).is_file() else f"./{name}") for name in inputs]
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


def _memory(inputs: Sequence[str]) -> Path | None:
    """A folder in memory, for the hundreds of modules of a large program; None where there is none with room enough.

    To make so many files on a disk costs more than to find that none of them has changed.
    """
    folder = Path("/dev/shm")
    try:
        wanted = _ROOM * sum(Path(name).stat().st_size for name in inputs)
        return folder if os.access(folder, os.W_OK) and shutil.disk_usage(folder).free > wanted else None
    except OSError:
        return None


def _from_program(given: str, path: Path, scratch: Path) -> Target:
    target = program.inspect(given, path)
    program.check_symbols(target)
    program.check_libevent(target)
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
    # Once, while they are in memory.
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


def _run_elyze(analyser: Path, target: Target, specs: Sequence[Path], output: Path, numbers: Path) -> None:
    command = [str(analyser), *map(str, target.modules), "--program", target.name, "--build-id", target.build_id]
    command += ["--specs", str(places.specs()), "-o", str(output), "--numbers-read", str(numbers)]
    for file in specs:
        command += ["--spec", str(file)]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode == 0:
        return
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    if done.returncode == 2 and lines:
        what, _, advice = lines[-1].removeprefix("heddle: ").removeprefix("elyze: ").partition(": ")
        raise BadInputError(what, advice or "see heddle analyze --help")
    how = f"was ended by signal {-done.returncode}" if done.returncode < 0 else f"failed with code {done.returncode}"
    last = f" ({lines[-1][:160]})" if lines else ""
    raise BadInputError(f"the analyser {how}{last}", "this is a fault of heddle: keep the program and report it")


def _compilable(path: Path) -> bool:
    return path.suffix == ".c" or path.suffix in _CPLUSPLUS


def _is_bitcode(path: Path) -> bool:
    """Or the same as text."""
    if path.suffix == ".ll":
        return True
    try:
        with path.open("rb") as file:
            return file.read(4) in _BITCODE_MARKS
    except OSError as error:
        raise BadInputError(f"{path} cannot be read ({error.strerror})", "check its permissions") from None


def _beside(path: Path) -> Path:
    return path.with_name(path.name + ".constraints.json")
