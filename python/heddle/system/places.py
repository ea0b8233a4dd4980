"""Where the parts of heddle lie. The shell entry names the two roots; without it they follow from this file's place."""

import os
import shutil
import sysconfig
from pathlib import Path

from heddle.documents import contracts
from heddle.errors import BadInputError

LLVM_VERSION = 19


def root() -> Path:
    """The top of the source tree."""
    named = os.environ.get(contracts.HEDDLE_ROOT)
    return Path(named).absolute() if named else Path(__file__).absolute().parents[3]


def command() -> str:
    """How the user can call heddle from here: for advice that can be pasted."""
    entry = root() / "heddle"
    found = shutil.which("heddle")
    if not entry.is_file() or (found and Path(found).resolve() == entry.resolve()):
        return "heddle"
    near = os.path.relpath(entry)
    return "./heddle" if near == "heddle" else str(entry) if near.startswith("../..") else near


def build() -> Path:
    """The build whose programs are used; relative names count from where the user stands."""
    named = os.environ.get(contracts.HEDDLE_BUILD)
    return Path(named).absolute() if named else root() / "build" / "release"


def elyze() -> Path:
    return build() / "elyze" / "elyze"


def specs() -> Path:
    return root() / "elyze" / "specs"


def multivent() -> Path:
    return build() / "multivent" / "libmultivent.so"


def oracle_pass() -> Path:
    return build() / "elyze" / "oracle" / "libheddle_oracle_pass.so"


def oracle_runtime() -> Path:
    return build() / "elyze" / "oracle" / "libheddle_oracle.so"


def compiler_plugin() -> Path:
    return build() / "elyze" / "plugin" / "libheddle_compiler_plugin.so"


def crawler() -> Path:
    return build() / "crawler" / "heddle-crawl"


def objectbase() -> Path:
    return build() / "objectbase" / "heddle-objectbase"


def ipc() -> Path:
    return build() / "ipc" / "libheddle_ipc.so"


def lab_native() -> Path:
    return build() / "threadlab" / f"_native{sysconfig.get_config_var('EXT_SUFFIX')}"


def load_generator() -> Path:
    return build() / "testing" / "load" / "heddle-load"


def schema(name: str) -> Path:
    return root() / "schemas" / f"{name}.schema.json"


def built(part: Path, what: str) -> Path:
    """`part`, or an error that says how to get it."""
    if not part.is_file():
        raise BadInputError(f"{what} is not built ({part})", "run ./heddle doctor to see what is missing")
    return part


def llvm_tool(name: str) -> str | None:
    """Path of an LLVM tool of the version that the analyser is built with, or None."""
    beside = Path(f"/usr/lib/llvm-{LLVM_VERSION}/bin/{name}")
    if beside.exists():
        return str(beside)
    return shutil.which(f"{name}-{LLVM_VERSION}")


def needed_llvm_tool(name: str) -> str:
    path = llvm_tool(name)
    if path is None:
        raise BadInputError(
            f"{name}-{LLVM_VERSION} is not installed", f"apt-get install clang-{LLVM_VERSION} llvm-{LLVM_VERSION}"
        )
    return path
