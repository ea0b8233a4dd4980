"""Trace files: one record per finished invocation, mapped into memory, never read whole.

The file's layout is in schemas/trace.schema.json, the record's in schemas/trace_record.hpp; the dtype below repeats the
latter, byte by byte. A file whose last record is cut short (the program was killed) is valid up to that record.
"""

import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from heddle import schemas
from heddle.errors import BadInputError
from heddle.schemas import Document

MAGIC = b"HEDTRC01"
NONE = 0xFFFFFFFF
UNKNOWN_HANDLER = 1
GOT_TO_LATE_POINT = 2
_RECORDS_START_AT_MULTIPLE_OF = 64

RECORD = np.dtype(
    [
        ("ready_ns", "<u8"),
        ("start_ns", "<u8"),
        ("end_ns", "<u8"),
        ("cpu_ns", "<u8"),
        ("session", "<u8"),
        ("sequence", "<u8"),
        ("handler", "<u4"),
        ("waited_for", "<u4"),
        ("late_us", "<u4"),
        ("thread", "<u2"),
        ("what", "u1"),
        ("flags", "u1"),
    ]
)


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
            start = file.read(len(MAGIC) + 4)
            length = struct.unpack_from("<I", start, len(MAGIC))[0] if len(start) == len(MAGIC) + 4 else 0
            text = file.read(length)
        size = path.stat().st_size
    except OSError as error:
        raise BadInputError(f"{source} cannot be read ({error.strerror})", "name a trace file") from None
    if not start.startswith(MAGIC):
        raise BadInputError(f"{source} is not a trace file", "record one: heddle run --trace FILE PROGRAM")
    header = schemas.parse(text, "trace", f"the header of {source}")
    schemas.check(header, "trace", f"the header of {source}")
    unit = _RECORDS_START_AT_MULTIPLE_OF
    offset = (len(MAGIC) + 4 + length + unit - 1) // unit * unit
    count = max(0, size - offset) // RECORD.itemsize
    if count == 0:
        return Trace(header, np.empty(0, RECORD))
    return Trace(header, np.memmap(path, dtype=RECORD, mode="r", offset=offset, shape=(count,)))
