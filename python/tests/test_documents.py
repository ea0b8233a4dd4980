"""Documents and trace files: what is recognised, what is refused, and that the schemas hold."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from cli_support import ROOT

from heddle.documents import schemas, trace, writing
from heddle.errors import BadInputError

TRACE_HEADER: dict[str, Any] = {
    "schema": "heddle/trace",
    "version": 1,
    "tool": {"name": "multivent", "version": "0.1.0"},
    "program": {"name": "server", "build_id": "00"},
    "clock": "CLOCK_MONOTONIC",
    "record_bytes": 64,
    "threads": 2,
    "handlers": ["on_read", "on_write"],
}
FIRST = (10, 20, 30, 9, 0x7F00, 1, 0, trace.NONE, 0, 0, 2, 0)
SECOND = (11, 31, 40, 0, 0, 2, trace.NONE, 0, 3, 1, 4, trace.UNKNOWN_HANDLER)


def trace_bytes(header: dict[str, Any], *records: tuple[int, ...], rest: bytes = b"") -> bytes:
    """A trace file written byte by byte from its description, without the code under test."""
    text = json.dumps(header).encode()
    start = b"HEDTRC01" + struct.pack("<I", len(text)) + text
    start += b"\0" * (-len(start) % 64)
    return start + b"".join(struct.pack("<QQQQQQIIIHBB", *record) for record in records) + rest


@pytest.mark.parametrize("kind", sorted(schemas.VERSIONS))
def test_every_schema_is_a_schema_of_the_version_that_we_know(kind: str) -> None:
    schema = json.loads((ROOT / "schemas" / f"{kind}.schema.json").read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    assert schema["properties"]["version"]["const"] == schemas.VERSIONS[kind]
    assert schema["properties"]["schema"]["const"] == f"heddle/{kind}"


def test_a_document_that_breaks_its_schema_is_refused_with_the_place(golden: dict[str, Any]) -> None:
    golden["pairs"][0]["verdict"] = "sometimes"
    with pytest.raises(BadInputError, match=r"\$\.pairs\[0\]\.verdict: 'sometimes' is not one of"):
        schemas.check(golden, "constraints", "x.json")


def test_a_document_of_another_kind_is_refused() -> None:
    with pytest.raises(BadInputError, match="x is not a heddle run document"):
        schemas.parse('{"schema": "heddle/constraints", "version": 3}', "run", "x")


@pytest.mark.parametrize("version", [0, 1, 3, "2", None, True])
def test_an_unknown_version_is_refused(version: object) -> None:
    with pytest.raises(BadInputError, match="this heddle knows version 2"):
        schemas.parse(json.dumps({"schema": "heddle/run", "version": version}), "run", "x")


def test_a_trace_is_read_field_by_field(tmp_path: Path) -> None:
    path = tmp_path / "trace"
    path.write_bytes(trace_bytes(TRACE_HEADER, FIRST, SECOND))
    found = trace.load(path)
    assert found.handlers == ["on_read", "on_write"]
    assert [tuple(int(field) for field in record) for record in found.records] == [FIRST, SECOND]
    assert found.of("on_read")["start_ns"].tolist() == [20]


def test_a_record_cut_short_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "trace"
    path.write_bytes(trace_bytes(TRACE_HEADER, FIRST, rest=b"x" * 63))
    assert len(trace.load(path).records) == 1


def test_a_trace_without_records_is_empty(tmp_path: Path) -> None:
    path = tmp_path / "trace"
    path.write_bytes(trace_bytes(TRACE_HEADER))
    records = trace.load(path).records
    assert len(records) == 0
    assert records["start_ns"].dtype == np.uint64


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is not a trace file"),
        (b"HEDTRC02" + b"\0" * 60, "is not a trace file"),
        (b"HEDTRC01", "is not valid JSON"),
        (trace_bytes(TRACE_HEADER)[:100], "is not valid JSON"),
        (trace_bytes(TRACE_HEADER | {"version": 7}), "has version 7 of the trace schema"),
        (trace_bytes(TRACE_HEADER | {"record_bytes": 32}), "breaks the trace schema"),
    ],
)
def test_what_is_no_trace_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "trace"
    path.write_bytes(content)
    with pytest.raises(BadInputError, match=message):
        trace.load(path)


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"a": [], "b": {}, "c": [1, -2.5, True, False, None, "x"], "d": {"e": [{"f": [[1], []]}], "g": 1e-7}},
        {'\u00e4\n"': "\u2028 \\ / \x01 \u20ac", "n": 1 << 60},
    ],
)
def test_a_document_is_written_as_the_analyser_writes_it(document: dict[str, Any]) -> None:
    assert writing.text(document) == json.dumps(document, indent=1, ensure_ascii=False) + "\n"
