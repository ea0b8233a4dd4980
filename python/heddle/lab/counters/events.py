"""Events of the kernel and the processor, counted by perf_event_open(2) for this process and the threads it starts.

The kernel's own events (switches, migrations, faults) can be counted nearly everywhere; those of the processor only
where the machine has counters and lets us at them, which virtual machines mostly do not. Nothing is made up for what
is missing: an event that cannot be opened says why. A processor with fewer counters than events shares them out in
turn; counts are then scaled by the time that each was counted, as perf stat does.
"""

import ctypes
import errno
import fcntl
import os
import struct
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

_SYSCALLS = {"x86_64": 298, "aarch64": 241}
_HARDWARE, _SOFTWARE, _CACHE, _RAW = 0, 1, 3, 4
_OTHER_MAKER = "an event of Intel's processors"
_SIZE = 64  # PERF_ATTR_SIZE_VER0
_DISABLED, _INHERIT, _NO_KERNEL, _NO_HYPERVISOR = 1, 1 << 1, 1 << 5, 1 << 6
_TIMES = 3  # read_format: time enabled, time running
_ENABLE, _DISABLE = 0x2400, 0x2401
_L1D, _L1I, _LL, _DTLB, _ITLB = range(5)
_READ, _MISS, _ACCESS = 0, 1, 0


def _cache(which: int, result: int) -> int:
    """Reads: cache, operation, result as perf_event_open(2) packs them."""
    return which | _READ << 8 | result << 16


@dataclass(frozen=True)
class Event:
    name: str
    kind: Literal["kernel", "processor"]
    type: int
    config: int
    about: str
    intel_only: bool = False


EVENTS = (
    Event("task-clock", "kernel", _SOFTWARE, 1, "nanoseconds on a processor"),
    Event("context-switches", "kernel", _SOFTWARE, 3, "threads of the process taken off a processor"),
    Event("cpu-migrations", "kernel", _SOFTWARE, 4, "threads that went on at another processor"),
    Event("page-faults", "kernel", _SOFTWARE, 2, "minor and major"),
    Event("major-faults", "kernel", _SOFTWARE, 6, "of them those that waited for a disk"),
    Event("cycles", "processor", _HARDWARE, 0, "while not halted"),
    Event("bus-cycles", "processor", _HARDWARE, 6, "of the bus, while not halted"),
    Event("instructions", "processor", _HARDWARE, 1, "retired"),
    Event("branch-misses", "processor", _HARDWARE, 5, "retired branches that were predicted wrongly"),
    Event("L1D-loads", "processor", _CACHE, _cache(_L1D, _ACCESS), "data reads"),
    Event("L1D-misses", "processor", _CACHE, _cache(_L1D, _MISS), "data reads that missed the first level"),
    Event("L1I-misses", "processor", _CACHE, _cache(_L1I, _MISS), "fetches that missed the first level"),
    Event("LLC-loads", "processor", _CACHE, _cache(_LL, _ACCESS), "reads of the last level"),
    Event("LLC-misses", "processor", _CACHE, _cache(_LL, _MISS), "reads that missed the last level"),
    Event("DTLB-misses", "processor", _CACHE, _cache(_DTLB, _MISS), "data reads that missed the page table's cache"),
    Event("ITLB-misses", "processor", _CACHE, _cache(_ITLB, _MISS), "fetches that missed the page table's cache"),
    # Codes of the Core microarchitecture and its descendants (Intel SDM 3B, tables of performance monitoring events).
    Event("uops-retired", "processor", _RAW, 0x01C2, "micro-operations that finished", intel_only=True),
    Event("L2-lines-in", "processor", _RAW, 0x1FF1, "lines brought into the second level", intel_only=True),
)


class Counting:
    """Counts of the events that could be opened, and why others could not."""

    def __init__(self, events: Iterable[Event]) -> None:
        self.counts: dict[str, float] = {}  # once `stop` has been called
        self.missing: dict[str, str] = {}
        self._open: dict[str, int] = {}
        for event in events:
            try:
                self._open[event.name] = _opened(event)
            except OSError as error:
                self.missing[event.name] = _why(error)

    def start(self) -> None:
        for descriptor in self._open.values():
            fcntl.ioctl(descriptor, _ENABLE, 0)

    def stop(self) -> None:
        for descriptor in self._open.values():
            fcntl.ioctl(descriptor, _DISABLE, 0)
        self.counts = {name: _read(descriptor) for name, descriptor in self._open.items()}
        for descriptor in self._open.values():
            os.close(descriptor)
        self._open = {}


@contextmanager
def counting(names: Iterable[str] | None = None) -> Iterator[Counting]:
    """Counts in the thread that enters the block and in all that are started inside it."""
    wanted = None if names is None else set(names)
    found = Counting(event for event in EVENTS if wanted is None or event.name in wanted)
    try:
        found.start()
        yield found
    finally:
        found.stop()


def _opened(event: Event) -> int:
    if event.intel_only and "GenuineIntel" not in Path("/proc/cpuinfo").read_text():
        raise OSError(errno.ENOENT, _OTHER_MAKER)
    number = _SYSCALLS.get(os.uname().machine)
    if number is None:
        raise OSError(errno.ENOSYS, "not known for this architecture")
    flags = _DISABLED | _INHERIT | (_NO_KERNEL | _NO_HYPERVISOR if event.kind == "processor" else 0)
    attributes = struct.pack("=IIQQQQQIIQ", event.type, _SIZE, event.config, 0, 0, _TIMES, flags, 0, 0, 0)
    libc = ctypes.CDLL(None, use_errno=True)
    descriptor: int = libc.syscall(number, attributes, 0, -1, -1, 0)
    if descriptor < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    os.set_inheritable(descriptor, False)
    return descriptor


def _read(descriptor: int) -> float:
    count, enabled, running = struct.unpack("=QQQ", os.read(descriptor, 24))
    return float(count) * enabled / running if running else 0.0


def _why(error: OSError) -> str:
    if error.errno in (errno.EACCES, errno.EPERM):
        return "not allowed: sysctl kernel.perf_event_paranoid=1 would do"
    if error.strerror == _OTHER_MAKER:
        return _OTHER_MAKER
    if error.errno in (errno.ENOENT, errno.ENODEV, errno.EOPNOTSUPP, errno.EINVAL):
        return "this machine has no such counter, or its host keeps it"
    return (error.strerror or str(error)).lower()
