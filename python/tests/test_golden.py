"""What the native runtime, the analyser, the oracle's runtime and node write (schemas/golden/) is read here."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_support import ROOT

from heddle.documents import constraints, schemas, timeline, trace
from heddle.oracle import accesses
from heddle.run import view
from heddle.run.metrics import collect

GOLDEN = ROOT / "schemas" / "golden"
VALUES: dict[str, Any] = json.loads((GOLDEN / "values.json").read_text())


def rows(records: np.ndarray[Any, np.dtype[np.void]]) -> list[dict[str, int]]:
    return [{name: int(record[name]) for name in records.dtype.names or ()} for record in records]


@pytest.mark.parametrize("name", ["native.trace", "node.trace"])
def test_a_trace_is_read_field_by_field(name: str) -> None:
    found = trace.load(GOLDEN / name)
    assert found.handlers == VALUES[name]["handlers"]
    assert found.header["threads"] == VALUES[name]["threads"]
    assert rows(found.records) == VALUES[name]["records"]


def test_a_trace_of_node_is_exported_with_its_threads() -> None:
    """As `heddle trace export` shows it: whoever computed what, and nobody waited at a late point."""
    out = io.BytesIO()
    timeline.write_chrome(trace.load(GOLDEN / "node.trace"), out)
    events = json.loads(out.getvalue())
    slices = [(event["name"], event["tid"], event["args"]) for event in events if event["ph"] == "X"]
    assert [(name, thread) for name, thread, _ in slices] == [("work (app.js:3)", 0), ("loop in main (app.js:9)", 2)]
    assert all("waited_at_late_point_us" not in details and "waited_for" not in details for *_, details in slices)


def test_an_access_trace_is_read_field_by_field() -> None:
    values = VALUES["program.accesses"]
    found = accesses.load(GOLDEN / "program.accesses")
    assert (found.program, found.build_id) == ("/bin/server", "abc123")
    assert found.sites == {
        1: accesses.Site("on_read", "server.c", 10, ""),
        2: accesses.Site("count", "server.c", 12, "served"),
    }
    assert found.globals == [accesses.Global(4096, 8, "served", "server.c", 3)]
    assert found.hidden == {2: "state of strtok"}
    assert rows(found.objects) == values["objects"]
    assert rows(found.invocations) == values["invocations"]
    assert rows(found.accesses) == values["accesses"]


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("native.run.json", "server: 8 threads; 1.67 processors busy in 1.5 s"),
        ("node.run.json", "/srv/app.js: 3 threads; 1.67 processors busy in 1.5 s"),
    ],
)
def test_a_run_document_is_understood(name: str, title: str) -> None:
    document = schemas.load(GOLDEN / name, "run")
    schemas.check(document, "run", name)
    shown = view.lines(document, None, 100)
    assert shown[0] == title
    assert [line for line in shown if document["handlers"][1]["name"] in line]
    figures = {metric.name: metric.samples for metric in collect(document)}
    assert figures["heddle_parallel"][0].value == 1
    assert figures["heddle_threads"][0].value == document["settings"]["threads"]


def test_a_constraints_document_is_understood() -> None:
    found = constraints.load(GOLDEN / "server.constraints.json")
    assert [handler.name for handler in found.handlers] == ["on_accept", "on_tick", "on_read"]
    verdicts = {
        (a, b): found.pair(found.named(a)[0].id, found.named(b)[0].id).verdict
        for a, b in (("on_accept", "on_tick"), ("on_tick", "on_read"), ("on_read", "on_read"))
    }
    assert verdicts == {
        ("on_accept", "on_tick"): "always",
        ("on_tick", "on_read"): "never",
        ("on_read", "on_read"): "session",
    }
    assert [item.name for item in found.session_objects()] == ["client->requests"]


def test_every_golden_file_is_read_here() -> None:
    """And has somebody who writes it: `values.json` and `server.c` are what writers are given."""
    read = Path(__file__).read_text()
    given = {"README.md", "values.json", "server.c"}
    files = {path.name for path in GOLDEN.iterdir()}
    assert [name for name in sorted(files - given) if f'"{name}"' not in read] == []
