"""fileserver answers byte for byte the same under heddle as on plain libevent."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from testing.servers.instrumented import BUILD, LOAD, PYTHON, analysed
from testing.servers.matrix import ROOT

ENVIRONMENT = {**os.environ, "HEDDLE_ROOT": str(ROOT), "HEDDLE_BUILD": str(BUILD)}


@contextmanager
def serving(*command: str | Path, **settings: str) -> Iterator[str]:
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT | settings)
    assert server.stdout is not None
    try:
        yield server.stdout.readline().strip().rsplit(":", 1)[1]
    finally:
        server.send_signal(signal.SIGTERM)
        assert server.wait(timeout=60) == 0


def load(port: str, mix: Path, *options: str | Path) -> dict[str, Any]:
    command = [LOAD, "--port", port, "--connections", "16", "--mix", mix, *options, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, done.stdout + done.stderr
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


@pytest.mark.timeout(300)
@pytest.mark.skipif(not LOAD.exists(), reason="the load generator is not built")
@pytest.mark.parametrize("promote", ["adaptive", "always"])
def test_a_mix_of_files_is_answered_the_same(tmp_path: Path, promote: str) -> None:
    sources = ROOT / "examples/fileserver"
    program = analysed(sources, tmp_path / "src")
    make = [PYTHON, sources / "make_files.py", tmp_path / "root", "--mix", tmp_path / "mix.txt"]
    subprocess.run(make, check=True, stdout=subprocess.DEVNULL)
    options = ["-p", "0", "-d", tmp_path / "root", "-c", "2"]
    mix, hashes, run_file = tmp_path / "mix.txt", tmp_path / "hashes.txt", tmp_path / "run.json"
    requests = str(2 * sum(int(line.split()[0]) for line in mix.read_text().splitlines()))
    with serving(program, *options) as port:
        load(port, mix, "--requests", requests, "--save-hashes", hashes)
    under = [PYTHON, "-m", "heddle", "run", "--threads", "2", "--run-file", run_file, program]
    with serving(*under, *options, HEDDLE_PROMOTE=promote) as port:
        load(port, mix, "--requests", requests, "--hashes", hashes)
    assert len(hashes.read_text().splitlines()) == len(mix.read_text().splitlines())
    run = json.loads(run_file.read_text())
    assert run["mode"] == "parallel"
    # Files of a few kilobytes take microseconds each: unless every handler is handed on, none may ever overlap.
    assert promote == "adaptive" or run["peak_parallel"] >= 2
