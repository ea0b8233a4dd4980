"""Functions of a program that its bitcode does not show.

The analysis is of the whole program. A function that was compiled without `heddle build`, or written in assembly, is
like one of an unknown library to it: a handler that calls it conflicts with everything. Two things are left to say.
What such a function does on its own account, to globals of the program, nobody sees, so the user must hear of it. And
if it has the name of a library function that the analyser knows, the analyser would trust the name: that is refused.
"""

import re
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from heddle import places
from heddle.elf import Elf
from heddle.errors import BadInputError

# What compilers and the C library link into every program.
_START_FILES = frozenset(
    "_start _init _fini _dl_relocate_static_pie deregister_tm_clones register_tm_clones __do_global_dtors_aux "
    "frame_dummy __libc_csu_init __libc_csu_fini atexit at_quick_exit __pthread_atfork pthread_atfork "
    "__x86.get_pc_thunk.bx __stack_chk_fail_local".split()
)
# A compiler makes variants of a function under names like `f.part.0`, `f.constprop.1`, `f.cold`, `f.llvm.123`.
_VARIANT = re.compile(r"\.(part|constprop|isra|cold|llvm|lto_priv|warm|__uniq)\b.*")
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


def without_bitcode(elf: Elf, modules: Sequence[Path]) -> list[str]:
    defined = _defined_in(modules)
    functions = {_VARIANT.sub("", symbol.name) for symbol in elf.symbols() if symbol.defined and symbol.function}
    missing = functions - defined - _START_FILES
    return sorted(name for name in missing if not name.startswith(_RUN_TIMES))


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


def _defined_in(modules: Sequence[Path]) -> set[str]:
    command = [places.needed_llvm_tool("llvm-nm"), "--defined-only", "--format=just-symbols", *map(str, modules)]
    listing = subprocess.run(command, capture_output=True, text=True, check=False)
    return {_VARIANT.sub("", line.strip()) for line in listing.stdout.splitlines()}
