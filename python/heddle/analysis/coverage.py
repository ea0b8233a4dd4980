"""Functions of a program that its bitcode does not show.

The analysis is of the whole program. A function that was compiled without `heddle build`, or written in assembly, is
like one of an unknown library to it: a handler that calls it conflicts with everything. Two things are left to say.
What such a function does on its own account, to globals of the program, nobody sees, so the user must hear of it. And
if it has the name of a library function that the analyser knows, the analyser would trust the name: that is refused.
"""

import contextlib
import json
import re
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import cast

from heddle.errors import BadInputError
from heddle.program.elf import Elf
from heddle.system import kept, places

# What compilers and the C library link into every program.
_START_FILES = frozenset(
    "_start _init _fini _dl_relocate_static_pie deregister_tm_clones register_tm_clones __do_global_dtors_aux "
    "frame_dummy __libc_csu_init __libc_csu_fini atexit at_quick_exit __pthread_atfork pthread_atfork "
    "__x86.get_pc_thunk.bx __stack_chk_fail_local".split()
)
# A compiler makes variants of a function under names like `f.part.0`, `f.constprop.1`, `f.cold`, `f.specialized.1`. No
# name of C or C++ has a dot by itself.
_VARIANT = re.compile(r"(?<=.)\..*")
# The names that an entry of the specifications is for stand at the start of a line, before a colon.
_SPECIFIED = re.compile(r"^([\w., ]+):", re.MULTILINE)
# Sanitizers and profilers bring their own run time along; it belongs to no handler.
_RUN_TIMES = (
    "__asan",
    "__ubsan",
    "__tsan",
    "__msan",
    "__lsan",
    "__sanitizer",
    "__llvm",
    "__interceptor",
    "asan.",
    "tsan.",
)


def without_bitcode(elf: Elf, modules: Mapping[Path, str]) -> list[str]:
    """`modules`: each with the digest of its content."""
    defined = {_plain(name) for name in _defined_in(elf.path, modules)}
    functions = {symbol.name for symbol in elf.symbols() if symbol.defined and symbol.function}
    own = {_plain(name) for name in functions - _START_FILES if not name.startswith(_RUN_TIMES)}
    return sorted(own - defined - _START_FILES)


def _plain(name: str) -> str:
    return _VARIANT.sub("", name) if "." in name else name


def refuse_impostors(given: str, functions: Iterable[str]) -> None:
    """Functions without bitcode whose names the analyser's specifications promise something about."""
    texts = [path.read_text() for path in sorted(places.specs().glob("*.yaml"))]
    specified = {word for text in texts for key in _SPECIFIED.findall(text) for word in key.replace(",", " ").split()}
    taken = [name for name in functions if name in specified]
    if taken:
        raise BadInputError(
            f"{given} has its own {taken[0]}() without bitcode, which would be taken for the library's",
            "compile that file with heddle build too",
        )


def _defined_in(program: Path, modules: Mapping[Path, str]) -> set[str]:
    """The functions that the modules define. Those of a module that has not changed are taken from the cache."""
    file = kept.place("symbols", program, ".json")
    known = {} if file is None else _read(file)
    fresh = _listed([module for module, digest in modules.items() if digest not in known])
    now = {digest: known[digest] for digest in modules.values() if digest in known}
    now |= {modules[module]: " ".join(names) for module, names in fresh.items()}
    if file is not None and now != known:
        _write(file, now)
    return {name for names in now.values() for name in names.split(" ")}


def _read(file: Path) -> dict[str, str]:
    """Digest of a module -> what it defines. The file begins with its own digest."""
    with contextlib.suppress(OSError, ValueError):
        digest, _, names = file.read_bytes().partition(b"\n")
        if kept.digest(names) == digest.decode():
            return cast(dict[str, str], json.loads(names))
    return {}


def _write(file: Path, names: dict[str, str]) -> None:
    content = json.dumps(names).encode()
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=file.parent, suffix=".new", delete=False) as new:
            new.write(kept.digest(content).encode() + b"\n" + content)
        Path(new.name).replace(file)
        kept.forget_oldest(file)


def _listed(modules: Sequence[Path]) -> dict[Path, list[str]]:
    """What each of the modules defines."""
    names: dict[Path, list[str]] = {module: [] for module in modules}
    if not modules:
        return names
    command = [places.needed_llvm_tool("llvm-nm"), "--defined-only", "--format=just-symbols", "--print-file-name"]
    listing = subprocess.run([*command, *map(str, modules)], capture_output=True, text=True, check=False)
    for line in listing.stdout.splitlines():
        file, _, name = line.rpartition(": ")
        names[Path(file)].append(name)
    return names
