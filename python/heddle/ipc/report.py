"""The report of a recording, as text and as a document."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from heddle.documents import contracts
from heddle.documents.contracts import IpcEnd
from heddle.ipc import advice as advising
from heddle.ipc.advice import Advice, Group, Machine, Saving
from heddle.ipc.data import Image, Meter
from heddle.ipc.pairs import Flow, Outside, Talk
from heddle.output.layout import columns, plural, some, wrapped

METHOD = (
    "All calls are timed. One that took less than 2 us used the CPU all the time. Of longer ones the thread's CPU clock"
    " is read for the first 64 of a kind and for some of the others. What clocks cost is taken off. Of polls it is"
    " that of the poll before the channel was used. A batch is what is sent in a row before the sender receives, polls,"
    " or pauses for 10 ms."
)


@dataclass(frozen=True)
class Recording:
    command: tuple[str, ...]
    code: int
    seconds: float
    images: list[Image]
    talk: Talk
    unrecorded: list[tuple[int, str, str]]  # process, program, why
    unseen: list[str]  # functions of the C library
    machine: Machine

    @property
    def exposed(self) -> frozenset[int]:
        listeners = [listener for image in self.images for listener in image.listeners]
        return frozenset(one.local.port for one in listeners if one.local.port and not one.local.is_loopback)


def document(recording: Recording) -> dict[str, Any]:
    """As schemas/ipc_report.schema.json has it."""
    found = advising.groups(recording.talk.pairs)
    return {
        "schema": "heddle/ipc_report",
        "version": contracts.VERSIONS["ipc_report"],
        "command": list(recording.command),
        "exit_code": recording.code,
        "seconds": recording.seconds,
        "method": METHOD,
        "machine": asdict(recording.machine),
        "processes": [_process(image) for image in recording.images],
        "pairs": [_group(group, advising.advise(group, recording.machine, recording.exposed)) for group in found],
        "outside": [_outside(each) for each in recording.talk.outside],
        "not_recorded": [{"pid": pid, "program": path, "why": why} for pid, path, why in recording.unrecorded],
        "notes": notes(recording),
    }


def _process(image: Image) -> dict[str, Any]:
    return {
        "pid": image.pid,
        "parent": image.parent,
        "user": image.user,
        "program": image.path,
        "arguments": list(image.arguments),
        "name": image.name,
        "forked": bool(image.flags & contracts.IPC_PROCESS_FORKED),
        "ended": _end_of(image),
        "cpu_s": image.cpu_s,
        "recording_s": image.recording_s,
        "calls": image.calls,
    }


def _end_of(image: Image) -> IpcEnd:
    if image.alive:
        return "runs"
    if image.flags & contracts.IPC_PROCESS_EXECUTED:
        return "called another program"
    return "left" if image.flags & contracts.IPC_PROCESS_ENDED else "was killed"


def _group(group: Group, advice: Advice) -> dict[str, Any]:
    flows = group.flows
    return {
        "a": group.a,
        "b": group.b,
        "pids": sorted({image.pid for image in group.images}),
        "kinds": sorted({flow.kind for flow in flows}),
        **_sums(flows),
        "cpu_s": group.cpu_s,
        "ipc_s": group.ipc_s,
        "ipc_error_s": group.ipc_error_s,
        "share": group.share,
        "advice": advice.verdict,
        "reason": advice.reason,
        "clashes": list(advice.clashes),
        "savings": {
            name: {"cpu_s": saving.cpu_s, "error_s": saving.error_s, "of_both": _part(saving, group)}
            for name, saving in (
                ("batched", advice.batched),
                ("shared", advice.shared),
                ("readable", advice.readable),
            )
        },
        "flows": [
            {
                "from": flow.sender.pid,
                "to": flow.receiver.pid,
                "kind": flow.kind,
                **_sums([flow]),
                "divided": flow.divided,
            }
            for flow in flows
        ],
    }


def _sums(flows: list[Flow]) -> dict[str, Any]:
    messages = sum(flow.messages for flow in flows)
    carried = sum(flow.bytes for flow in flows)
    batches = sum(flow.batches for flow in flows)
    return {
        "messages": round(messages),
        "bytes": round(carried),
        "mean_bytes": carried / messages if messages else 0.0,
        "batches": round(batches),
        "receives": round(sum(flow.received.calls for flow in flows)),
        "received_bytes": round(sum(flow.received.bytes for flow in flows)),
        "wakeups": round(sum(flow.wakeups for flow in flows)),
        "sending_s": _cpu(meter for flow in flows for meter in flow.sending),
        "receiving_s": _cpu(meter for flow in flows for meter in (flow.received, flow.nothing)),
        "polling_s": _cpu(flow.polled for flow in flows),
    }


def _cpu(meters: Iterable[Meter]) -> float:
    return sum(meter.cpu_s for meter in meters)


def _part(saving: Saving, group: Group) -> float:
    return saving.cpu_s / group.cpu_s if group.cpu_s else 0.0


def _outside(each: Outside) -> dict[str, Any]:
    return {
        "pid": each.image.pid,
        "name": each.image.name,
        "peer": each.peer,
        "another_machine": each.remote,
        "messages": round(each.channel.messages),
        "bytes": round(each.channel.sent_bytes),
        "received_bytes": round(each.channel.received.bytes),
    }


def notes(recording: Recording) -> list[str]:
    """What was not seen, and how that was noticed."""
    images = recording.images
    found = [f"{path} (process {pid}) was not recorded: {why}" for pid, path, why in recording.unrecorded]
    if recording.unseen:
        found.append(f"calls of {some(recording.unseen, 8)} were not seen: this C library begins them in another way")
    rings = {image.name for image in images if image.flags & contracts.IPC_PROCESS_USES_RING}
    if rings:
        found.append(f"{some(sorted(rings), 4)} used io_uring, whose messages are not seen")
    boxed = {image.name for image in images if image.flags & contracts.IPC_PROCESS_SANDBOXED}
    if boxed:
        found.append(
            f"{some(sorted(boxed), 4)} restricted its system calls: channels that it opened later are not seen"
        )
    lost = sum(image.lost for image in images)
    if lost:
        found.append(f"{plural(lost, 'look')} at a channel found no room for it")
    stale = sum(image.stale for image in images)
    if stale:
        found.append(
            f"{plural(stale, 'descriptor')} became another one unseen: a few calls may be counted for the wrong channel"
        )
    children = sum(image.unseen_children for image in images)
    if children:
        found.append(
            f"{_processes(children)} that were forked could not write to the folder of the recording, and are not seen"
        )
    running = [image for image in images if image.alive]
    if running:
        found.append(f"{_processes(len(running))} went on after the command, and what happened since is not in here")
    return found


def text(recording: Recording, width: int) -> list[str]:
    groups = advising.groups(recording.talk.pairs)
    took = sum(image.recording_s for image in recording.images)
    cpu = sum(image.cpu_s for image in recording.images)
    processes = len({image.pid for image in recording.images})
    lines = [
        f"{_processes(processes)}, {cpu:.2f} s of CPU time in"
        f" {recording.seconds:.1f} s; recording took {took:.2f} s more"
    ]
    if not groups:
        lines += ["", "No two of them sent each other anything over sockets or pipes."]
    told = [group for group in groups if _is_told(group, groups)]
    for group in told:
        lines += ["", *_group_text(group, advising.advise(group, recording.machine, recording.exposed), width)]
    if len(told) < len(groups):
        lines += ["", "Pairs that hardly talk (--json has all):", *_small_text([g for g in groups if g not in told])]
    outside = _outside_text(recording.talk.outside)
    if outside:
        lines += ["", "With others, that were not recorded:", *outside]
    said = notes(recording)
    if said:
        lines += ["", "Not seen:", *(line for note in said for line in wrapped(note, "  - ", width, "    "))]
    return [*lines, "", *wrapped(METHOD, "", width)]


_TOLD = 8  # pairs


def _is_told(group: Group, groups: list[Group]) -> bool:
    return group in groups[:_TOLD] and (group.share >= advising.SMALL or group.ipc_s >= 0.1 * groups[0].ipc_s)


def _small_text(groups: list[Group]) -> list[str]:
    rows = [
        (
            f"{group.a}, {group.b}",
            f"{sum(flow.messages for flow in group.flows):,.0f} messages",
            f"{_time(group.ipc_s)}, {group.share:.1%} of the CPU time of both",
        )
        for group in groups[:_TOLD]
    ]
    return [*columns(rows, "  "), *([f"  and {len(groups) - _TOLD} more"] if len(groups) > _TOLD else [])]


def _group_text(group: Group, advice: Advice, width: int) -> list[str]:
    sums = _sums(group.flows)
    kinds = ", ".join(sorted({flow.kind for flow in group.flows}))
    of = f", {len(group.images)} processes" if len(group.images) > 2 else ""
    ways = {(flow.sender.pid, flow.receiver.pid) for flow in group.flows}
    one_way = not any((receiver, sender) in ways for sender, receiver in ways)
    first = group.flows[0]
    title = f"{first.sender.name} -> {first.receiver.name}" if one_way else f"{group.a} <-> {group.b}"
    error = f" ± {2 * group.ipc_error_s / group.ipc_s:.0%}" if group.ipc_s else ""
    per_batch = sums["messages"] / sums["batches"] if sums["batches"] else 0.0
    rows = [
        ("messages", f"{sums['messages']:,}, {_size(sums['bytes'])}, {_size(sums['mean_bytes'])} each"),
        ("batches", f"{sums['batches']:,}, {per_batch:.1f} messages each; {sums['wakeups']:,} wake-ups"),
        ("CPU time", f"{_time(group.ipc_s)}{error}, {group.share:.0%} of the {_time(group.cpu_s)} of both"),
        (
            "of that",
            f"sending {_time(sums['sending_s'])}, receiving {_time(sums['receiving_s'])},"
            f" polls {_time(sums['polling_s'])}",
        ),
        (
            "would save",
            f"batched {_percent(advice.batched, group)}, shared {_percent(advice.shared, group)},"
            f" if readable {_percent(advice.readable, group)} of both",
        ),
    ]
    lines = [f"{title} ({kinds}{of})", *columns(rows, "  ")]
    lines += wrapped(f"{advice.verdict}: {advice.reason}", "  => ", width, "     ")
    for clash in advice.clashes if advice.verdict != "leave" else ():
        lines += wrapped(f"mind: {clash}", "     ", width, "     ")
    return lines


def _percent(saving: Saving, group: Group) -> str:
    error = 2 * saving.error_s / group.cpu_s if group.cpu_s else 0.0
    return f"{_part(saving, group):.0%}" + (f" ± {error:.0%}" if error >= 0.005 else "")


def _outside_text(outside: list[Outside]) -> list[str]:
    sums: dict[tuple[str, str, bool], list[float]] = {}
    for each in outside:
        peer = each.peer.rpartition(":")[0] if each.remote else each.peer
        of = sums.setdefault((each.image.name, peer, each.remote), [0, 0, 0])
        of[0] += each.channel.messages
        of[1] += each.channel.sent_bytes
        of[2] += each.channel.received.bytes
    rows = [
        (name, peer, f"{count:,.0f} messages, {_size(sent)} out, {_size(got)} in", "on another machine" if far else "")
        for (name, peer, far), (count, sent, got) in sorted(sums.items(), key=lambda item: -item[1][0])
    ]
    more = len(rows) - 8
    return [*columns(rows[:8], "  "), *([f"  and {more} more"] if more > 0 else [])]


def _processes(count: int) -> str:
    return "1 process" if count == 1 else f"{count} processes"


def _size(amount: float) -> str:
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("KB", 1e3)):
        if amount >= factor:
            return f"{amount / factor:.1f} {unit}"
    return f"{amount:.0f} B"


def _time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1e3:.1f} ms"
