"""What `heddle build --late` adds to compiler calls: a pass that marks where rarely taken paths are entered.

The marks are in the object, and the bitcode beside it must have the very same marks, because verdicts will rest on
them. So the pass writes the bitcode itself, from the compilation that makes the object and before anything is
optimised. The wrapper learns of the pass from the environment of the build. Standard library only, as the wrapper.
"""

import os

from heddle.documents import contracts
from heddle.system import places

_PASS = "HEDDLE_LATE_PASS"
_BITCODE = contracts.HEDDLE_LATE_BITCODE


def environment() -> dict[str, str]:
    """What the build's environment gets."""
    return {_PASS: str(places.built(places.late_pass(), "the pass for late points"))}


def wanted() -> bool:
    return bool(os.environ.get(_PASS))


def compile_flags() -> list[str]:
    """The flags that load the pass, to stand before those of other passes."""
    if not wanted():
        return []
    # Variables are described as in unoptimised bitcode, which the analyser reads.
    described = "-fexperimental-assignment-tracking=disabled"
    return [f"-fpass-plugin={os.environ[_PASS]}", "-Xclang", "-disable-O0-optnone", "-Xclang", described]


def compile_environment(bitcode: str) -> dict[str, str] | None:
    """The environment of the call that makes the object: the pass writes the bitcode to `bitcode`. None without it."""
    return {**os.environ, _BITCODE: bitcode} if wanted() else None
