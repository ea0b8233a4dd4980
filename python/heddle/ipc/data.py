"""What recorded processes left behind: a file for each program in each process, and the programs that were started.

The layout is in schemas/contracts/ipc.toml. Files may be read while their processes run. They may come from processes
of other users, so nothing in them is trusted to be in bounds.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from pathlib import Path

import numpy as np

from heddle.documents import contracts
from heddle.documents.contracts import IpcKind

PROGRAMS = "programs"
UNSEEN = "unseen"
SOCKETS: dict[int, IpcKind] = {
    contracts.IPC_KIND_UNIX_STREAM: "UNIX stream",
    contracts.IPC_KIND_UNIX_DATAGRAM: "UNIX datagram",
    contracts.IPC_KIND_UNIX_PACKET: "UNIX packet",
    contracts.IPC_KIND_TCP: "TCP",
    contracts.IPC_KIND_UDP: "UDP",
}
KINDS: dict[int, IpcKind] = {contracts.IPC_KIND_PIPE: "pipe", **SOCKETS}

_PROCESS = np.dtype([("magic", "S8"), *contracts.IPC_PROCESS[1:]])
_METER = np.dtype(list(contracts.IPC_METER))
_NAME = f"S{contracts.IPC_NAME_BYTES}"
_SLOT = np.dtype([("about", list(contracts.IPC_CHANNEL)), ("meters", _METER, 5), ("local", _NAME), ("remote", _NAME)])


@dataclass(frozen=True)
class Meter:
    """Calls of one kind, and their processor time as far as it was taken (schemas: IpcMeter)."""

    calls: float = 0.0
    bytes: float = 0.0
    short_calls: float = 0.0
    short_ns: float = 0.0
    samples: float = 0.0
    weight: float = 0.0
    time_ns: float = 0.0
    square: float = 0.0
    blocked: float = 0.0

    def __add__(self, other: "Meter") -> "Meter":
        return Meter(*(a + b for a, b in zip(self._all(), other._all(), strict=True)))

    def part(self, share: float) -> "Meter":
        return self if share == 1 else Meter(*(value * share for value in self._all()))

    def _all(self) -> tuple[float, ...]:
        return tuple(getattr(self, each.name) for each in fields(self))

    @property
    def cpu_s(self) -> float:
        """Processor time of all calls: of short ones as it was, of long ones from the mean of those that were timed."""
        return (self.short_ns + self._long_calls * self._long_mean_ns) / 1e9

    @property
    def mean_s(self) -> float:
        return self.cpu_s / self.calls if self.calls else 0.0

    @property
    def _long_calls(self) -> float:
        return max(0.0, self.calls - self.short_calls)

    @property
    def _long_mean_ns(self) -> float:
        if self.weight:
            return self.time_ns / self.weight
        return self.short_ns / self.short_calls if self.short_calls else 0.0

    @property
    def variance(self) -> float:
        """Of cpu_s, in square seconds: simple random sampling without replacement (Cochran 1977, section 2.6)."""
        calls = self._long_calls
        if self.samples < 1 or calls <= self.samples:
            return 0.0
        spread = max(0.0, self.square * 1024 / self.weight - (self.time_ns / self.weight) ** 2)
        return calls**2 * spread * (1 - self.samples / calls) / self.samples / 1e18

    @property
    def sleeps(self) -> float:
        """In how many of the calls the thread slept, from the timed ones."""
        return self._long_calls * self.blocked / self.weight if self.weight else 0.0


def error_s(meters: "list[Meter]") -> float:
    """Standard error of the sum of their processor times."""
    return math.sqrt(sum(meter.variance for meter in meters))


@dataclass(frozen=True)
class Address:
    high: int
    low: int
    port: int

    @property
    def is_any(self) -> bool:
        return self.high == 0 and self.low in (0, 0xFFFF00000000)

    @property
    def is_loopback(self) -> bool:
        return self.high == 0 and (self.low == 1 or self.low >> 24 == 0xFFFF7F)

    def __str__(self) -> str:
        import ipaddress

        whole = ipaddress.IPv6Address(self.high << 64 | self.low)
        return f"{whole.ipv4_mapped}:{self.port}" if whole.ipv4_mapped else f"[{whole}]:{self.port}"


@dataclass(frozen=True)
class Channel:
    kind: int
    flags: int
    device: int
    inode: int
    peer_inode: int
    peer_pid: int
    batches: int
    more: int
    room: int
    local: Address
    remote: Address
    local_name: str
    remote_name: str
    first: Meter
    later: Meter
    received: Meter
    nothing: Meter
    polled: Meter

    @property
    def messages(self) -> float:
        return self.first.calls + self.later.calls + self.more

    @property
    def sent_bytes(self) -> float:
        return self.first.bytes + self.later.bytes

    @property
    def is_used(self) -> bool:
        return any(meter.calls for meter in (self.first, self.later, self.received, self.nothing))


@dataclass
class Image:
    """A program in a process, from its start, or the fork that made the process, to its end or the next exec."""

    pid: int
    parent: int
    user: int
    flags: int
    start_ns: int
    end_ns: int
    cpu_ns: int  # of the process since its fork
    samples: int
    sample_ns: int
    call_ns: int
    own_ns: int
    calls: int
    lost: int
    stale: int
    unseen_children: int
    path: str
    arguments: tuple[str, ...]
    idle: Meter
    unclaimed: Meter
    channels: list[Channel] = field(default_factory=list, repr=False)
    listeners: list[Channel] = field(default_factory=list, repr=False)
    before_ns: int = 0  # processor time of the process at its start
    alive: bool = False

    @property
    def cpu_s(self) -> float:
        """Without what recording itself took."""
        return max(0.0, (self.cpu_ns - self.before_ns) / 1e9 - self.recording_s)

    @property
    def recording_s(self) -> float:
        return (self.own_ns + self.samples * self.sample_ns + self.calls * self.call_ns) / 1e9

    @property
    def name(self) -> str:
        """The program; of an interpreter what it runs as well."""
        program = Path(self.path.removesuffix(" (deleted)")).name or f"process {self.pid}"
        if not program.startswith(_INTERPRETERS):
            # What it was called as, for a program may be several, by its name; or what a server calls its child.
            called = self.arguments[0].partition(" ")[0].strip("-:") if self.arguments else ""
            return Path(called).name or program
        words = list(self.arguments[1:])
        while words and words[0].startswith("-"):
            option = words.pop(0)
            if option == "-m" and words:
                return f"{program} -m {words[0]}"
            if option in ("-c", "-e"):
                return f"{program} {option}"
        return f"{program} {Path(words[0]).name}" if words else program


_INTERPRETERS = ("python", "perl", "php", "ruby", "node", "bash", "dash", "sh", "lua", "java")


def load(folder: Path, complete: Callable[[dict[str, Image]], None] = lambda _images: None) -> list[Image]:
    """Every whole file of the folder, with the processor time that each program began with.

    `complete` adds what is known of them beside their files, by the files' names.
    """
    by_name = {path.name: image for path in folder.iterdir() if "-" in path.name and (image := read(path)) is not None}
    complete(by_name)
    images = list(by_name.values())
    images.sort(key=lambda image: (image.pid, image.start_ns))
    earlier: Image | None = None
    for image in images:
        if earlier is not None and earlier.pid == image.pid and earlier.flags & contracts.IPC_PROCESS_EXECUTED:
            image.before_ns = earlier.cpu_ns
        earlier = image
    return images


def read(path: Path) -> Image | None:
    """None for a file that is not whole, as its process was ended while it began."""
    try:
        with path.open("rb") as file:
            start = file.read(contracts.IPC_CHANNELS)
            if len(start) < contracts.IPC_CHANNELS or not start.startswith(contracts.IPC_MAGIC):
                return None
            process = np.frombuffer(start, _PROCESS, 1)[0]
            count = min(int(process["channels"]), path.stat().st_size // contracts.IPC_CHANNEL_BYTES)
            slots = file.read(count * contracts.IPC_CHANNEL_BYTES)
    except OSError:
        return None
    words = start[contracts.IPC_TEXT :].split(b"\0")
    text = [word.decode(errors="replace") for word in words]
    while text and not text[-1]:
        text.pop()
    meters = np.frombuffer(start, _METER, 2, contracts.IPC_METERS_OF_PROCESS)
    image = Image(
        pid=int(process["pid"]),
        parent=int(process["parent"]),
        user=int(process["user"]),
        flags=int(process["flags"]),
        start_ns=int(process["start_ns"]),
        end_ns=int(process["end_ns"]),
        cpu_ns=int(process["cpu_ns"]),
        samples=int(process["samples"]),
        sample_ns=int(process["sample_ns"]),
        call_ns=int(process["call_ns"]),
        own_ns=int(process["own_ns"]),
        calls=int(process["calls"]),
        lost=int(process["lost"]),
        stale=int(process["stale"]),
        unseen_children=int(process["unseen_children"]),
        path=text[0] if text else "",
        arguments=tuple(text[1:]),
        idle=_meter(meters[0]),
        unclaimed=_meter(meters[1]),
    )
    for slot in np.frombuffer(slots, _SLOT, len(slots) // contracts.IPC_CHANNEL_BYTES):
        channel = _channel(slot)
        if channel.kind == contracts.IPC_KIND_LISTENER:
            image.listeners.append(channel)
        elif channel.kind in KINDS:
            image.channels.append(channel)
    return image


def _meter(found: np.void) -> Meter:
    return Meter(*(float(value) for value in found.item()))


def _channel(slot: np.void) -> Channel:
    about = slot["about"]
    plain = ("kind", "flags", "device", "inode", "peer_inode", "peer_pid", "batches", "more", "room")
    return Channel(
        **{name: int(about[name]) for name in plain},
        local=Address(int(about["local_high"]), int(about["local_low"]), int(about["local_port"])),
        remote=Address(int(about["remote_high"]), int(about["remote_low"]), int(about["remote_port"])),
        local_name=slot["local"].decode(errors="replace"),
        remote_name=slot["remote"].decode(errors="replace"),
        first=_meter(slot["meters"][contracts.IPC_METER_KIND_FIRST]),
        later=_meter(slot["meters"][contracts.IPC_METER_KIND_LATER]),
        received=_meter(slot["meters"][contracts.IPC_METER_KIND_RECEIVED]),
        nothing=_meter(slot["meters"][contracts.IPC_METER_KIND_NOTHING]),
        polled=_meter(slot["meters"][contracts.IPC_METER_KIND_POLLED]),
    )


def unrecorded(folder: Path, images: list[Image]) -> list[tuple[int, str]]:
    """Programs that were started, by process and path, and of which there is no file."""
    starts: dict[int, list[tuple[int, str]]] = {}
    try:
        lines = (folder / PROGRAMS).read_text(errors="replace").splitlines()
    except OSError:
        return []
    for line in lines:
        words = line.split(" ", 2)
        if len(words) != 3 or not words[0].isdigit() or not words[1].isdigit():
            continue
        of = starts.setdefault(int(words[0]), [])
        if words[2]:
            of.append((int(words[1]), words[2]))
        elif of:
            of.pop()  # it could not be started
    began = {(image.pid, image.start_ns) for image in images if not image.flags & contracts.IPC_PROCESS_FORKED}
    missing = []
    for pid, of in starts.items():
        moments = [moment for moment, _ in of] + [2**63]
        for (moment, path), following in zip(of, moments[1:], strict=True):
            if not any(who == pid and moment <= when < following for who, when in began):
                missing.append((pid, path))
    return missing
