"""Traces for timeline viewers: Perfetto's TrackEvent packets, and the older Chrome JSON.

What `write_packets` is given need not come from a trace: the laboratory shows its commands so.

Sources: Perfetto's documentation of synthetic track events, and Google's "Trace Event Format".
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np

from heddle.documents.trace import GOT_TO_LATE_POINT, NONE, UNKNOWN_HANDLER, Trace

_PROCESS = 1
_PROCESS_TRACK, _COUNTER_TRACK, _FIRST_THREAD_TRACK = 1, 2, 16
_SEQUENCE = 1
_NOT_NAMED = "handler not named in the trace"


@dataclass(frozen=True)
class Slice:
    """What one thread did in one go; times in nanoseconds."""

    name: str
    thread: int
    begin: int
    end: int
    details: dict[str, str | int]


def write_chrome(trace: Trace, file: BinaryIO) -> None:
    """JSON array format, one event a line; times in microseconds."""
    start = _start(trace)
    events: list[dict[str, object]] = [_meta("process_name", 0, trace.header["program"]["name"])]
    events += [_meta("thread_name", thread, _thread_name(thread)) for thread in _threads(trace)]
    file.write(b"[\n" + b",\n".join(json.dumps(event).encode() for event in events))
    for each in _slices(trace):
        event = {
            "name": each.name,
            "ph": "X",
            "pid": _PROCESS,
            "tid": each.thread,
            "ts": (each.begin - start) / 1e3,
            "dur": (each.end - each.begin) / 1e3,
            "args": each.details,
        }
        file.write(b",\n" + json.dumps(event).encode())
    file.write(b"\n]\n")


def write_perfetto(trace: Trace, file: BinaryIO) -> None:
    threads = {thread: _thread_name(thread) for thread in _threads(trace)}
    process = trace.header["program"]["name"]
    write_packets(file, process, threads, _slices(trace), "due and not finished", _pending(trace))


def write_packets(
    file: BinaryIO,
    process: str,
    threads: Mapping[int, str],
    slices: Iterable[Slice],
    counter: str,
    values: Iterable[tuple[int, int]],
) -> None:
    """Packets of TrackEvent, one after the other; a track for each thread, one for the counter's (time, value)."""
    from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import CounterDescriptor, TrackEvent
    from perfetto.trace_builder.proto_builder import StreamingTraceProtoBuilder

    builder = StreamingTraceProtoBuilder(file)
    packet = builder.create_packet()
    packet.track_descriptor.uuid = _PROCESS_TRACK
    packet.track_descriptor.process.pid = _PROCESS
    packet.track_descriptor.process.process_name = process
    builder.write_packet(packet)
    packet = builder.create_packet()
    packet.track_descriptor.uuid = _COUNTER_TRACK
    packet.track_descriptor.parent_uuid = _PROCESS_TRACK
    packet.track_descriptor.name = counter
    packet.track_descriptor.counter.unit = CounterDescriptor.UNIT_COUNT
    builder.write_packet(packet)
    for thread, name in threads.items():
        packet = builder.create_packet()
        packet.track_descriptor.uuid = _track(thread)
        packet.track_descriptor.parent_uuid = _PROCESS_TRACK
        packet.track_descriptor.thread.pid = _PROCESS
        packet.track_descriptor.thread.tid = _PROCESS + thread
        packet.track_descriptor.thread.thread_name = name
        builder.write_packet(packet)

    def write(time: int, track: int, event: TrackEvent) -> None:
        packet = builder.create_packet()
        packet.timestamp = time
        packet.trusted_packet_sequence_id = _SEQUENCE
        event.track_uuid = track
        packet.track_event.CopyFrom(event)
        builder.write_packet(packet)

    for each in slices:
        begin = TrackEvent(type=TrackEvent.TYPE_SLICE_BEGIN, name=each.name)
        for title, value in each.details.items():
            note = begin.debug_annotations.add()
            note.name = title
            if isinstance(value, int):
                note.int_value = value
            else:
                note.string_value = value
        write(each.begin, _track(each.thread), begin)
        write(each.end, _track(each.thread), TrackEvent(type=TrackEvent.TYPE_SLICE_END))
    for time, value in values:
        write(time, _COUNTER_TRACK, TrackEvent(type=TrackEvent.TYPE_COUNTER, counter_value=value))


def _slices(trace: Trace) -> Iterator[Slice]:
    names = trace.handlers
    for record in np.sort(trace.records, order=["thread", "start_ns"]):
        handler, holder = int(record["handler"]), int(record["waited_for"])
        begin = int(record["start_ns"])
        details: dict[str, str | int] = {
            "session": hex(int(record["session"])) if record["session"] else "none",
            "waited_us": max(0, begin - int(record["ready_ns"])) // 1000,
            "cpu_us": int(record["cpu_ns"]) // 1000,
        }
        if int(record["flags"]) & GOT_TO_LATE_POINT:
            details["waited_at_late_point_us"] = int(record["late_us"])
        if holder != NONE:
            details["waited_for"] = names[holder] if holder < len(names) else _NOT_NAMED
        if int(record["flags"]) & UNKNOWN_HANDLER:
            details["alone"] = "unknown to the constraints"
        name = names[handler] if handler < len(names) else _NOT_NAMED
        yield Slice(name, int(record["thread"]), begin, max(begin, int(record["end_ns"])), details)


def _pending(trace: Trace) -> Iterator[tuple[int, int]]:
    """The number of invocations that are due and not finished, with the time of each change."""
    ready, end = trace.records["ready_ns"], trace.records["end_ns"]
    times = np.concatenate((ready, end)).astype(np.int64)
    steps = np.concatenate((np.ones(len(ready), np.int64), -np.ones(len(end), np.int64)))
    order = np.argsort(times, kind="stable")
    yield from zip(times[order].tolist(), np.cumsum(steps[order]).tolist(), strict=True)


def _threads(trace: Trace) -> list[int]:
    return [int(thread) for thread in np.unique(trace.records["thread"])]


def _start(trace: Trace) -> int:
    return int(trace.records["ready_ns"].min()) if len(trace.records) else 0


def _thread_name(thread: int) -> str:
    return "thread that entered the loop" if thread == 0 else f"pool thread {thread}"


def _track(thread: int) -> int:
    return _FIRST_THREAD_TRACK + thread


def _meta(what: str, thread: int, name: str) -> dict[str, object]:
    return {"name": what, "ph": "M", "pid": _PROCESS, "tid": thread, "args": {"name": name}}
