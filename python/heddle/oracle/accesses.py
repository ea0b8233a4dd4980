"""Access traces of programs that were built with `heddle build --trace`.

The file's layout is in schemas/contracts/accesses.toml. Unlike a trace of the runtime, a file that was cut short is
refused: with an access missing, a check that finds nothing would mean nothing.
"""

import struct
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from heddle.documents import contracts
from heddle.errors import BadInputError

MAGIC = contracts.ACCESS_MAGIC
WRITES = contracts.ACCESS_WRITES
ATOMIC = contracts.ACCESS_ATOMIC
LATE = contracts.ACCESS_LATE
HEAP, HIDDEN, FILE = contracts.OBJECT_KIND_HEAP, contracts.OBJECT_KIND_HIDDEN, contracts.OBJECT_KIND_FILE

_TEXT, _OBJECTS = contracts.BLOCK_KIND_TEXT, contracts.BLOCK_KIND_OBJECTS
_INVOCATIONS, _ACCESSES, _END = (
    contracts.BLOCK_KIND_INVOCATIONS,
    contracts.BLOCK_KIND_ACCESSES,
    contracts.BLOCK_KIND_END,
)
_HEADER = struct.Struct(contracts.BLOCK_HEADER)
_ENDING = struct.Struct(contracts.END_RECORD)

OBJECT = np.dtype(list(contracts.OBJECT_RECORD))
INVOCATION = np.dtype(list(contracts.INVOCATION_RECORD))
ACCESS = np.dtype(list(contracts.ACCESS_RECORD))

_ADVICE = "record it again, and let the program end by itself or by SIGTERM"


@dataclass(frozen=True)
class Site:
    function: str
    file: str
    line: int
    object: str

    def __str__(self) -> str:
        return f"{self.function} {self.file}:{self.line}"


@dataclass(frozen=True)
class Global:
    address: int
    bytes: int
    name: str
    file: str
    line: int


@dataclass(frozen=True)
class Accesses:
    program: str
    build_id: str
    sites: dict[int, Site]
    globals: list[Global]  # by address
    hidden: dict[int, str]
    objects: npt.NDArray[np.void]
    invocations: npt.NDArray[np.void]
    accesses: npt.NDArray[np.void]

    def global_at(self, address: int) -> Global | None:
        place = bisect_right(self.globals, address, key=lambda item: item.address) - 1
        if place < 0:
            return None
        found = self.globals[place]
        return found if address - found.address < found.bytes else None


def load(path: Path) -> Accesses:
    source = str(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadInputError(f"{source} cannot be read ({error.strerror})", "name an access trace") from None
    if not content.startswith(MAGIC):
        raise BadInputError(
            f"{source} is not an access trace", "record one: heddle build --trace -- make, then run the program"
        )
    blocks = _blocks(content, source)
    trace = _assembled(blocks, source)
    _check(trace, source)
    return trace


def _blocks(content: bytes, source: str) -> dict[int, list[bytes]]:
    found: dict[int, list[bytes]] = {kind: [] for kind in (_TEXT, _OBJECTS, _INVOCATIONS, _ACCESSES, _END)}
    at = len(MAGIC)
    while at < len(content):
        if at + _HEADER.size > len(content):
            raise BadInputError(f"{source} is cut short", _ADVICE)
        kind, size = _HEADER.unpack_from(content, at)
        at += _HEADER.size
        if kind not in found or found[_END]:
            raise BadInputError(f"{source} is damaged at byte {at - _HEADER.size}", _ADVICE)
        if at + size > len(content):
            raise BadInputError(f"{source} is cut short", _ADVICE)
        found[kind].append(content[at : at + size])
        at += size
    if not found[_END]:
        raise BadInputError(f"{source} is cut short", _ADVICE)
    return found


def _records(parts: list[bytes], dtype: np.dtype[np.void], source: str) -> npt.NDArray[np.void]:
    joined = b"".join(parts)
    if len(joined) % dtype.itemsize:
        raise BadInputError(f"{source} is damaged: half a record", _ADVICE)
    return np.frombuffer(joined, dtype)


def _assembled(blocks: dict[int, list[bytes]], source: str) -> Accesses:
    objects = _records(blocks[_OBJECTS], OBJECT, source)
    invocations = _records(blocks[_INVOCATIONS], INVOCATION, source)
    accesses = _records(blocks[_ACCESSES], ACCESS, source)
    try:
        counts = _ENDING.unpack(blocks[_END][0])
        program, build_id = "", "none"
        sites: dict[int, Site] = {}
        variables: list[Global] = []
        hidden: dict[int, str] = {}
        for line in b"".join(blocks[_TEXT]).decode("utf-8", "replace").split("\n"):
            words = line.split("\t")
            if words[0] == "site":
                name = "" if words[5] == "-" else words[5]
                sites[int(words[1])] = Site(words[3], words[4], int(words[2]), name)
            elif words[0] == "global":
                variables.append(Global(int(words[1]), int(words[2]), words[3], words[4], int(words[5])))
            elif words[0] == "hidden":
                hidden[int(words[1])] = words[2]
            elif words[0] == "program":
                program, build_id = words[1], words[2]
            elif line:
                raise ValueError(line)
    except (ValueError, IndexError, struct.error):
        raise BadInputError(f"{source} is damaged: a description that cannot be read", _ADVICE) from None
    if counts != (len(objects), len(invocations), len(accesses)):
        raise BadInputError(f"{source} is damaged: its end does not count what it holds", _ADVICE)
    variables.sort(key=lambda item: item.address)
    return Accesses(program, build_id, sites, variables, hidden, objects, invocations, accesses)


def _check(trace: Accesses, source: str) -> None:
    """Every record refers to something that was described, so that a damaged file is not a Python error later."""
    sites = np.fromiter(trace.sites, np.uint32, len(trace.sites))
    calls = trace.invocations
    numbered = bool(np.all(calls["id"] == np.arange(1, len(calls) + 1)))
    good = (
        numbered
        and bool(np.all(calls["parent"] < calls["id"]))
        and bool(np.all(np.isin(calls["handler"], sites)))
        and bool(np.all(np.isin(trace.accesses["site"], sites)))
        and bool(np.all((trace.accesses["invocation"] >= 1) & (trace.accesses["invocation"] <= len(calls))))
        and bool(np.all(np.isin(trace.accesses["object"], np.append(trace.objects["id"], 0))))
    )
    if not good:
        raise BadInputError(f"{source} is damaged: a record refers to nothing", _ADVICE)
