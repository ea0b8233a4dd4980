"""What each pair of programs would save by other ways to talk, and which way is worth it.

Both are computed from what was counted, of the processor time of both processes, with every term measured in the same
run but for what is measured of the machine at its end (Machine):

  batched   All messages of a batch are written at once. Saved: the calls that send and follow in a batch, but for
            copying their bytes, which the first one now does; the receives, polls and calls that found nothing beyond
            one for each batch, or one for each filled buffer; and what a receive takes longer for each message that it
            gets beside the first.
  shared    Objects in shared memory, one notification for each batch. Beside the above: copying bytes into and out of
            the kernel. To be paid: a commit for each batch, a slot for each message.
  readable  The same, where the side that asks can read the objects itself, so that asking and answering both go away.
            Only who knows the program can tell whether that is so; it is the most that sharing can bring.

What a program spends on building and parsing messages is in none of them, and would be saved in part, too.
"""

import contextlib
import math
import os
import socket
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass

from heddle.documents import contracts
from heddle.documents.contracts import IpcAdvice
from heddle.ipc.data import Image, Meter, error_s
from heddle.ipc.pairs import Flow, Pair

SMALL = 0.10  # a share of IPC that is not worth a change
WORTH = 0.05  # a part of the processor time of both that is
# At most what objectbase takes: a commit of 20 slots was measured to take 0.6 us (bench objectbase), and here 2.3.
COMMIT_S = 0.3e-6
SLOT_S = 0.1e-6


@dataclass(frozen=True)
class Machine:
    """What parts of a message cost on this machine, in processor seconds."""

    sending_s: float  # to bring a byte into the kernel
    receiving_s: float  # and out of it
    # By kind of channel: each message beyond the first that a receive gets at once, for the kernel keeps them apart.
    message_s: dict[str, float]


_SMALL, _LARGE, _TOGETHER, _TIMES = 64, 32_768, 16, 100


def measured_machine() -> Machine:
    """Takes some 20 ms."""
    room = bytearray(4 * _LARGE)
    with _ends() as channels:
        send, receive = channels["UNIX stream"]
        costs = {size: _costs(send, receive, room, size, 1) for size in (_SMALL, _LARGE)}
        slopes = [max(0.0, costs[_LARGE][side] - costs[_SMALL][side]) / (_LARGE - _SMALL) for side in (0, 1)]
        message_s = {}
        for kind, (send, receive) in channels.items():
            single = _costs(send, receive, room, _SMALL * _TOGETHER, 1)[1]
            several = _costs(send, receive, room, _SMALL, _TOGETHER)[1]
            message_s[kind] = max(0.0, several - single) / (_TOGETHER - 1)
    return Machine(slopes[0], slopes[1], message_s)


@contextlib.contextmanager
def _ends() -> Iterator[dict[str, tuple[int, int]]]:
    """Descriptors to send and to receive on, by kind of channel."""
    with contextlib.ExitStack() as stack:
        one, other = (stack.enter_context(end) for end in socket.socketpair())
        one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4 * _LARGE)
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        near = stack.enter_context(socket.create_connection(listener.getsockname()))
        near.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        far = stack.enter_context(listener.accept()[0])
        reading, writing = os.pipe()
        for end in (reading, writing):
            stack.callback(os.close, end)
        yield {
            "UNIX stream": (one.fileno(), other.fileno()),
            "TCP": (near.fileno(), far.fileno()),
            "pipe": (writing, reading),
        }


def _costs(send: int, receive: int, room: bytearray, size: int, together: int) -> tuple[float, float]:
    """Processor seconds to send messages of a size, and to receive them all."""
    message = memoryview(room)[:size]
    sending, receiving = [], []
    for _ in range(_TIMES):
        start = time.thread_time()
        for _ in range(together):
            os.write(send, message)
        middle = time.thread_time()
        got = os.readv(receive, [room])
        end = time.thread_time()
        while got < size * together:
            got += os.readv(receive, [room])
        sending.append(middle - start)
        receiving.append(end - middle)
    return statistics.median(sending), statistics.median(receiving)


@dataclass(frozen=True)
class Saving:
    cpu_s: float
    error_s: float  # standard error, of what was sampled


@dataclass(frozen=True)
class Group:
    """All pairs of processes of the same two programs, told together."""

    a: str
    b: str
    pairs: tuple[Pair, ...]

    @property
    def flows(self) -> list[Flow]:
        return [flow for pair in self.pairs for flow in pair.flows]

    @property
    def images(self) -> list[Image]:
        return list({id(image): image for pair in self.pairs for image in (pair.a, pair.b)}.values())

    @property
    def cpu_s(self) -> float:
        return sum(image.cpu_s for image in self.images)

    @property
    def ipc_s(self) -> float:
        return sum(meter.cpu_s for flow in self.flows for meter in (*flow.sending, *flow.receiving))

    @property
    def ipc_error_s(self) -> float:
        return error_s([meter for flow in self.flows for meter in (*flow.sending, *flow.receiving)])

    @property
    def share(self) -> float:
        return self.ipc_s / self.cpu_s if self.cpu_s else 0.0


@dataclass(frozen=True)
class Advice:
    verdict: IpcAdvice
    reason: str
    batched: Saving
    shared: Saving
    readable: Saving
    clashes: tuple[str, ...]


def groups(pairs: list[Pair]) -> list[Group]:
    """Those that cost most first."""
    by_names: dict[tuple[str, str], list[Pair]] = {}
    for pair in pairs:
        by_names.setdefault(_names(pair), []).append(pair)
    found = [Group(a, b, tuple(of)) for (a, b), of in by_names.items()]
    return sorted(found, key=lambda group: -group.ipc_s)


def _names(pair: Pair) -> tuple[str, str]:
    a, b = pair.a.name, pair.b.name
    return (a, b) if a <= b else (b, a)


def batched_saving(flow: Flow, machine: Machine) -> Saving:
    sending = flow.later.cpu_s - machine.sending_s * flow.later.bytes
    receives, batches = flow.received.calls, flow.batches
    buffer = flow.room / receives if receives else 0.0
    needed = min(receives, max(batches, math.ceil(flow.received.bytes / buffer) if buffer else 0.0))
    gone = (receives - needed) / receives if receives else 0.0
    message_s = machine.message_s.get(flow.kind, 0.0)
    apart = message_s * max(0.0, flow.messages - receives)
    receiving = gone * max(0.0, flow.received.cpu_s - machine.receiving_s * flow.received.bytes - apart) + apart
    polls_gone = _beyond(flow.polled, batches)
    nothing_gone = _beyond(flow.nothing, batches)
    waiting = polls_gone * flow.polled.cpu_s + nothing_gone * flow.nothing.cpu_s
    error = math.sqrt(
        flow.later.variance
        + gone**2 * flow.received.variance
        + polls_gone**2 * flow.polled.variance
        + nothing_gone**2 * flow.nothing.variance
    )
    return Saving(max(0.0, sending) + max(0.0, receiving) + waiting, error)


def _beyond(meter: Meter, batches: float) -> float:
    """Which part of the calls is more than one for each batch."""
    return max(0.0, 1 - batches / meter.calls) if meter.calls else 0.0


def shared_saving(flow: Flow, machine: Machine) -> Saving:
    batched = batched_saving(flow, machine)
    copying = machine.sending_s * flow.bytes + machine.receiving_s * flow.received.bytes
    price = COMMIT_S * flow.batches + SLOT_S * flow.messages
    return Saving(batched.cpu_s + copying - price, batched.error_s)


def readable_saving(flow: Flow) -> Saving:
    meters = [*flow.sending, *flow.receiving]
    return Saving(sum(meter.cpu_s for meter in meters) - SLOT_S * flow.messages, error_s(meters))


def _sum(savings: list[Saving]) -> Saving:
    return Saving(sum(each.cpu_s for each in savings), math.sqrt(sum(each.error_s**2 for each in savings)))


def advise(group: Group, machine: Machine, exposed: frozenset[int] = frozenset()) -> Advice:
    """`exposed`: ports on which somebody listens for other machines, too."""
    batched = _sum([batched_saving(flow, machine) for flow in group.flows])
    shared = _sum([shared_saving(flow, machine) for flow in group.flows])
    readable = _sum([readable_saving(flow) for flow in group.flows])
    clashes = tuple(_clashes(group, exposed))
    verdict, reason = _verdict(group, batched, shared, readable)
    return Advice(verdict, reason, batched, shared, readable, clashes)


def _verdict(group: Group, batched: Saving, shared: Saving, readable: Saving) -> tuple[IpcAdvice, str]:
    cpu = group.cpu_s
    if cpu == 0 or group.share < SMALL:
        return "leave", f"sending and receiving is {group.share:.1%} of what both compute: there is little to save"
    best = max(batched.cpu_s, shared.cpu_s)
    if best / cpu >= WORTH and max(batched.error_s, shared.error_s) > best / 3:
        return "record longer", "too few calls were timed to tell"
    piped = _is_standard(group)
    further = (shared.cpu_s - batched.cpu_s) / cpu
    if not piped and shared.cpu_s / cpu >= SMALL and further >= WORTH:
        return "share", "much is spent on bytes and messages that shared objects do away with"
    if batched.cpu_s / cpu >= WORTH:
        return "batch", "messages follow each other; written at once they cost less, and nothing else has to change"
    if piped:
        return "leave", "they talk by standard input or output, and hardly ever send several messages in a row"
    if readable.cpu_s / cpu >= SMALL and len({flow.sender.pid for flow in group.flows}) > 1:
        return (
            "share if readable",
            "each message waits for its answer: only if the asking side can read the objects itself, messages go away",
        )
    return "leave", "messages are few or single, so that neither way brings much"


def _is_standard(group: Group) -> bool:
    standard = contracts.IPC_CHANNEL_STANDARD_INPUT | contracts.IPC_CHANNEL_STANDARD_OUTPUT
    return any(flow.flags & standard for flow in group.flows)


def _clashes(group: Group, exposed: frozenset[int]) -> list[str]:
    """What stands in the way of sharing, or would have to be kept up beside it."""
    found = []
    if _is_standard(group):
        found.append("they talk by standard input or output: whoever starts one decides who the other is")
    if any(flow.flags & contracts.IPC_CHANNEL_END_OF_FILE and not flow.named for flow in group.flows):
        found.append("one learns of the other's end by the end of the channel: a store says so by other means")
    if any(flow.flags & contracts.IPC_CHANNEL_DESCRIPTORS for flow in group.flows):
        found.append("descriptors are passed, which no memory can hold")
    if len({image.user for image in group.images}) > 1:
        found.append("they are different users: who may read and write a store has to be decided")
    if any(flow.ports & exposed for flow in group.flows):
        found.append("one listens for other machines, too: the protocol has to stay for those")
    return found
