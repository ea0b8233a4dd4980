"""Trace files: one record per finished invocation, mapped into memory, never read whole.

The file's layout is in schemas/contracts/trace.toml, that of its header in schemas/trace.schema.json. A file whose last
record is cut short (the program was killed) is valid up to that record.
"""

import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from heddle.documents import contracts, schemas
from heddle.documents.schemas import Document
from heddle.errors import BadInputError

MAGIC = contracts.TRACE_MAGIC
NONE = contracts.TRACE_NONE
UNKNOWN_HANDLER = contracts.TRACE_UNKNOWN_HANDLER
GOT_TO_LATE_POINT = contracts.TRACE_GOT_TO_LATE_POINT
RECORD = np.dtype(list(contracts.TRACE_RECORD))

_START = struct.Struct(contracts.TRACE_START)


@dataclass(frozen=True)
class Trace:
    header: Document
    records: npt.NDArray[np.void]

    @property
    def handlers(self) -> list[str]:
        return list(self.header["handlers"])

    def of(self, handler: str) -> npt.NDArray[np.void]:
        """The invocations of one handler, in the order in which they finished."""
        chosen: npt.NDArray[np.void] = self.records[self.records["handler"] == self.handlers.index(handler)]
        return chosen


def load(path: Path) -> Trace:
    source = str(path)
    try:
        with path.open("rb") as file:
            start = file.read(_START.size)
            length = _START.unpack(start)[1] if len(start) == _START.size else 0
            text = file.read(length)
        size = path.stat().st_size
    except OSError as error:
        raise BadInputError(f"{source} cannot be read ({error.strerror})", "name a trace file") from None
    if not start.startswith(MAGIC):
        raise BadInputError(f"{source} is not a trace file", "record one: heddle run --trace FILE PROGRAM")
    header = schemas.parse(text, "trace", f"the header of {source}")
    schemas.check(header, "trace", f"the header of {source}")
    unit = contracts.TRACE_ALIGNMENT
    offset = (_START.size + length + unit - 1) // unit * unit
    count = max(0, size - offset) // RECORD.itemsize
    if count == 0:
        return Trace(header, np.empty(0, RECORD))
    return Trace(header, np.memmap(path, dtype=RECORD, mode="r", offset=offset, shape=(count,)))
