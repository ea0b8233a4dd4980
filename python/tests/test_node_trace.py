"""A trace that heddle-node wrote of a real program, as the command line exports it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli_support import ROOT

from heddle.documents import schemas, trace
from heddle.system import nodejs

pytestmark = pytest.mark.skipif(not (ROOT / "node/dist/preload.cjs").is_file(), reason="heddle-node is not built")

WORKERS = 2
CALLS = 40
PROGRAM = """
function work(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) | 0; return s; }
for (let i = 0; i < 40; i++) setImmediate(() => console.log(work(5_000_000 + i)));
"""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("node")
    (folder / "app.js").write_text(PROGRAM)
    words = [nodejs.heddle_node(), "--ship", "always", "--workers", str(WORKERS)]
    words += [f"--trace={folder / 'trace'}", f"--run-file={folder / 'run.json'}", folder / "app.js"]
    environment = os.environ | {"HEDDLE_NODE": str(nodejs.node()), "HEDDLE_CACHE": str(folder / "cache")}
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False, timeout=100)
    assert (done.returncode, len(done.stdout.split())) == (0, CALLS), done.stderr
    return folder


def test_workers_and_home_are_threads_of_the_trace(recorded: Path) -> None:
    found = trace.load(recorded / "trace")
    threads = set(found.records["thread"].tolist())
    assert threads <= set(range(WORKERS + 1))
    assert threads - {0}, "no worker has computed anything"
    assert found.header["threads"] == WORKERS + 1
    assert len(found.of("work (app.js:2)")) == CALLS


def test_nobody_waited_for_anybody(recorded: Path) -> None:
    records = trace.load(recorded / "trace").records
    assert set(records["waited_for"].tolist()) == {trace.NONE}
    assert set(records["late_us"].tolist()) == {0}
    assert bool((records["start_ns"] <= records["end_ns"]).all())
    assert records["sequence"].tolist() == list(range(1, CALLS + 1))


def test_the_command_line_exports_it(recorded: Path) -> None:
    out = recorded / "timeline.json"
    words = ["trace", "export", "--format", "chrome", "-o", out, recorded / "trace"]
    done = subprocess.run([sys.executable, "-m", "heddle", *words], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    events = json.loads(out.read_text())
    slices = [event for event in events if event["ph"] == "X"]
    threads = {event["tid"] for event in slices}
    assert threads == set(trace.load(recorded / "trace").records["thread"].tolist())
    names = {event["tid"]: event["args"]["name"] for event in events if event["name"] == "thread_name"}
    assert names.keys() == threads


def test_its_run_document_holds(recorded: Path) -> None:
    document = schemas.load(recorded / "run.json", "run")
    schemas.check(document, "run", "run.json")
    assert (document["mode"], document["settings"]["threads"]) == ("parallel", WORKERS + 1)
