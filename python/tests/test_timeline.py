"""Traces for viewers: read back with the viewers' own formats, every invocation is there, once, at its time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_support import Heddle
from test_documents import TRACE_HEADER, trace_bytes

from heddle.documents import trace

RECORDS = [
    (1000, 2000, 9000, 5000, 0x7F00, 1, 0, trace.NONE, 4, 0, 2, trace.GOT_TO_LATE_POINT),
    (1500, 9000, 12000, 0, 0x7F00, 2, 1, 0, 0, 1, 0, 0),
    (2500, 2600, 2600, 0, 0, 3, trace.NONE, trace.NONE, 0, 1, 4, trace.UNKNOWN_HANDLER),
]


@pytest.fixture
def recorded(heddle: Heddle) -> Path:
    path = heddle.folder / "server.trace"
    path.write_bytes(trace_bytes(TRACE_HEADER | {"handlers": ["on_read", "on_write"]}, *RECORDS))
    return path


def test_chrome_json_has_every_invocation(heddle: Heddle, recorded: Path) -> None:
    done = heddle("trace", "export", recorded, "--format", "chrome", "-o", "out.json")
    assert (done.code, done.out) == (0, "Written to out.json: 3 invocations\n"), done.err
    events = json.loads((heddle.folder / "out.json").read_text())
    slices = [event for event in events if event["ph"] == "X"]
    assert [(each["name"], each["tid"], each["ts"], each["dur"]) for each in slices] == [
        ("on_read", 0, 1.0, 7.0),
        ("handler not named in the trace", 1, 1.6, 0.0),
        ("on_write", 1, 8.0, 3.0),
    ]
    assert slices[2]["args"] == {"session": "0x7f00", "waited_us": 7, "cpu_us": 0, "waited_for": "on_read"}
    assert slices[1]["args"]["alone"] == "unknown to the constraints"
    assert slices[0]["args"] == {"session": "0x7f00", "waited_us": 1, "cpu_us": 5, "waited_at_late_point_us": 4}
    assert {event["args"]["name"] for event in events if event["name"] == "thread_name"} == {
        "thread that entered the loop",
        "pool thread 1",
    }


def test_perfetto_packets_have_every_invocation(heddle: Heddle, recorded: Path) -> None:
    from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent

    assert heddle("trace", "export", recorded, "-o", "out.pftrace").code == 0
    found = Trace()
    found.ParseFromString((heddle.folder / "out.pftrace").read_bytes())
    tracks = {packet.track_descriptor.uuid for packet in found.packet if packet.HasField("track_descriptor")}
    open_slices: dict[int, list[tuple[int, str]]] = {}
    slices = []
    pending = []
    for packet in found.packet:
        if not packet.HasField("track_event"):
            continue
        event = packet.track_event
        assert event.track_uuid in tracks
        if event.type == TrackEvent.TYPE_SLICE_BEGIN:
            open_slices.setdefault(event.track_uuid, []).append((packet.timestamp, event.name))
        elif event.type == TrackEvent.TYPE_SLICE_END:
            begin, name = open_slices[event.track_uuid].pop()
            slices.append((name, begin, packet.timestamp))
        else:
            pending.append((packet.timestamp, event.counter_value))
    assert slices == [
        ("on_read", 2000, 9000),
        ("handler not named in the trace", 2600, 2600),
        ("on_write", 9000, 12000),
    ]
    assert not any(open_slices.values())
    assert pending == [(1000, 1), (1500, 2), (2500, 3), (2600, 2), (9000, 1), (12000, 0)]


def test_an_empty_trace_is_an_empty_timeline(heddle: Heddle) -> None:
    path = heddle.folder / "server.trace"
    path.write_bytes(trace_bytes(TRACE_HEADER))
    for form in ("perfetto", "chrome"):
        assert heddle("trace", "export", path, "--format", form, "-o", "out").code == 0


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["server.trace", "-o", "no/such/folder"], "cannot be written"),
        (["nothing.trace", "-o", "out"], "cannot be read"),
        (["server.trace", "-o", "out", "--format", "svg"], "'svg'"),
        (["server.trace"], "'--output'"),
    ],
)
@pytest.mark.usefixtures("recorded")
def test_bad_input_gets_one_line(heddle: Heddle, words: list[str], what: str) -> None:
    done = heddle("trace", "export", *words)
    assert (done.code, done.err.count("\n")) == (2, 1), done.err
    assert what in done.err
