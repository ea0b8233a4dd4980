"""From the ends that processes used to pairs of processes that talk: by the inodes and addresses that the kernel knows.

A pipe has one inode. Sockets of a UNIX pair know each other's inode; where only one of both knows it, or it is known by
name and by who connected, that suffices. Ends of TCP and UDP have each other's addresses. Where several processes use
one end, what the other side sent is divided among them by what each received.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from heddle.documents import contracts
from heddle.ipc.data import KINDS, Address, Channel, Image, Meter

End = tuple[Image, Channel]


@dataclass(frozen=True)
class Flow:
    """What one process sent another in one way."""

    sender: Image
    receiver: Image
    kind: str
    flags: int  # of both ends
    messages: float
    batches: float
    first: Meter
    later: Meter
    received: Meter
    nothing: Meter
    polled: Meter
    room: float
    divided: bool  # among several processes
    ports: frozenset[int]  # of both ends
    named: bool  # one of the ends can be found by name or address

    @property
    def bytes(self) -> float:
        return self.first.bytes + self.later.bytes

    @property
    def sending(self) -> list[Meter]:
        return [self.first, self.later]

    @property
    def receiving(self) -> list[Meter]:
        return [self.received, self.nothing, self.polled]

    @property
    def wakeups(self) -> float:
        """How often the receiver slept until something came."""
        return self.received.sleeps + self.polled.sleeps


@dataclass(frozen=True)
class Outside:
    """What a process sent to or received from nobody that was recorded."""

    image: Image
    channel: Channel
    peer: str
    remote: bool  # on another machine, as far as the address says


@dataclass
class Pair:
    """Two processes, and what each sent the other."""

    a: Image
    b: Image
    flows: list[Flow] = field(default_factory=list)


@dataclass(frozen=True)
class Talk:
    pairs: list[Pair]
    outside: list[Outside]


def talk(images: list[Image]) -> Talk:
    ends = [(image, channel) for image in images for channel in image.channels if channel.is_used]
    matched: set[int] = set()
    pairs: dict[tuple[int, int], Pair] = {}
    for senders, receivers in _links(ends, images):
        for flow in _flows(senders, receivers):
            a, b = sorted((flow.sender, flow.receiver), key=lambda image: (image.start_ns, image.pid))
            pairs.setdefault((id(a), id(b)), Pair(a, b)).flows.append(flow)
        if senders and receivers:
            matched |= {id(channel) for _, channel in (*senders, *receivers)}
    outside = [_outside(image, channel) for image, channel in ends if id(channel) not in matched and _moved(channel)]
    return Talk(list(pairs.values()), outside)


def _moved(channel: Channel) -> bool:
    return channel.messages > 0 or channel.received.calls > 0


def _links(ends: list[End], images: list[Image]) -> Iterator[tuple[list[End], list[End]]]:
    """Who may have sent, and who may have received it, for each way."""
    pipes: dict[tuple[int, int], list[End]] = defaultdict(list)
    sockets: dict[int, list[End]] = defaultdict(list)
    tcp: dict[tuple[Address, Address], list[End]] = defaultdict(list)
    udp: dict[int, list[End]] = defaultdict(list)
    for end in ends:
        channel = end[1]
        if channel.kind == contracts.IPC_KIND_PIPE:
            pipes[channel.device, channel.inode].append(end)
        elif channel.kind == contracts.IPC_KIND_TCP:
            tcp[channel.local, channel.remote].append(end)
        elif channel.kind == contracts.IPC_KIND_UDP:
            udp[channel.local.port].append(end)
        else:
            sockets[channel.inode].append(end)
    for users in pipes.values():
        yield users, users
    for (local, remote), users in tcp.items():
        yield users, tcp.get((remote, local), [])
    for users in udp.values():
        for end in users:
            yield [end], [other for other in udp.get(end[1].remote.port, []) if _may_hear(other[1], end[1])]
    yield from _by_inode(sockets, images)


def _may_hear(receiver: Channel, sender: Channel) -> bool:
    """Whether a datagram socket gets what is sent on another; one that is bound to every address hears them all."""
    from_there = receiver.remote.port in (0, sender.local.port)
    return from_there and (receiver.local == sender.remote or receiver.local.is_any)


def _by_inode(sockets: dict[int, list[End]], images: list[Image]) -> Iterator[tuple[list[End], list[End]]]:
    peers: dict[int, int] = {}
    for image in images:  # also from who made a pair of sockets and gave both away
        for channel in image.channels:
            if channel.peer_inode and channel.inode:
                peers[channel.inode] = channel.peer_inode
                peers.setdefault(channel.peer_inode, channel.inode)
    done: set[int] = set()
    left: list[End] = []
    for inode, users in sockets.items():
        other = peers.get(inode)
        if inode in done:
            continue
        if other is None or other not in sockets:
            left += users
            continue
        done |= {inode, other}
        yield users, sockets[other]
        yield sockets[other], users
    yield from _by_name(left)


def _by_name(ends: list[End]) -> Iterator[tuple[list[End], list[End]]]:
    """Who sent to a name, and who has the name; of connections as well who connected."""
    named: dict[tuple[int, str], list[End]] = defaultdict(list)
    for end in ends:
        if end[1].local_name:
            named[end[1].kind, end[1].local_name].append(end)
    groups: dict[tuple[int, str, int], list[End]] = defaultdict(list)
    for end in ends:
        if end[1].remote_name:
            who = 0 if end[1].kind == contracts.IPC_KIND_UNIX_DATAGRAM else end[0].pid
            groups[end[1].kind, end[1].remote_name, who].append(end)
    for (kind, name, who), users in groups.items():
        others = [end for end in named[kind, name] if who in (0, end[1].peer_pid)]
        if others:
            yield users, others
            if kind != contracts.IPC_KIND_UNIX_DATAGRAM:
                yield others, users


def _flows(senders: list[End], receivers: list[End]) -> Iterator[Flow]:
    """What each of the senders sent each of the receivers."""
    sending = [end for end in senders if end[1].messages]
    taking = [end for end in receivers if end[1].received.calls or end[1].nothing.calls]
    shares = _shares([channel.received.bytes or channel.received.calls for _, channel in taking])
    parts = _shares([channel.sent_bytes or channel.messages for _, channel in sending])
    for (sender, out), part in zip(sending, parts, strict=True):
        for (receiver, into), share in zip(taking, shares, strict=True):
            if sender is receiver or share == 0:
                continue
            yield Flow(
                sender,
                receiver,
                KINDS[out.kind],
                out.flags | into.flags,
                out.messages * share,
                out.batches * share,
                out.first.part(share),
                out.later.part(share),
                into.received.part(part),
                into.nothing.part(part),
                into.polled.part(part),
                into.room * part,
                len(sending) > 1 or len(taking) > 1,
                frozenset({out.local.port, into.local.port} - {0}),
                any((out.local.port, out.local_name, out.remote_name)),
            )


def _shares(amounts: Iterable[float]) -> list[float]:
    all_of = list(amounts)
    whole = sum(all_of)
    return [amount / whole if whole else 1 / len(all_of) for amount in all_of]


def _outside(image: Image, channel: Channel) -> Outside:
    if channel.kind in (contracts.IPC_KIND_TCP, contracts.IPC_KIND_UDP):
        near = channel.remote.is_loopback or channel.remote == channel.local or channel.remote.is_any
        same_host = (channel.remote.high, channel.remote.low) == (channel.local.high, channel.local.low)
        return Outside(image, channel, str(channel.remote), remote=not near and not same_host)
    if channel.kind == contracts.IPC_KIND_PIPE:
        return Outside(image, channel, "a pipe that leads out of the command", remote=False)
    return Outside(image, channel, channel.remote_name or channel.local_name or "a socket", remote=False)
