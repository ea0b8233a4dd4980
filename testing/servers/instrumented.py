"""ThreadSanitizer over an example server under multivent with its own constraints and load.

A wrong verdict of the analyser, a hole in admission or a race in our runtime shows here as a data race between two
handlers of a program that takes no lock.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from testing.servers.matrix import ROOT
from testing.servers.server_process import build_id, copy_sources

BUILD = Path(os.environ.get("HEDDLE_BUILD", ROOT / "build/dev"))
TSAN_BUILD = Path(os.environ.get("HEDDLE_TSAN_BUILD", ROOT / "build/tsan"))
PYTHON = ROOT / "build/venv/bin/python"
LOAD = BUILD / "testing/load/heddle-load"


def heddle(*arguments: str | Path, cwd: Path) -> None:
    subprocess.run(
        [PYTHON, "-m", "heddle", *map(str, arguments)],
        cwd=cwd,
        check=True,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "HEDDLE_ROOT": str(ROOT), "HEDDLE_BUILD": str(BUILD)},
    )


def analysed(sources: Path, folder: Path, *variables: str) -> Path:
    """The server of `sources`, built in a copy; its constraints are beside it. `variables` are for make."""
    copy_sources(sources, folder)
    heddle("build", "--", "make", *variables, cwd=folder)
    heddle("analyze", folder / sources.name, cwd=folder)
    return folder / sources.name


def instrumented(sources: Path, folder: Path) -> Path:
    """The server built with ThreadSanitizer; beside it the constraints of the same sources built without.

    The instrumentation itself is not part of the program, so the analyser never sees it; only the build id is made to
    fit.
    """
    plain = analysed(sources, folder / "plain")
    copy_sources(sources, folder / "sanitized")
    subprocess.run(
        ["make", "CC=clang-19", "CFLAGS=-O1 -g -fsanitize=thread", "LDFLAGS=-fsanitize=thread"],
        cwd=folder / "sanitized",
        check=True,
        stdout=subprocess.DEVNULL,
    )
    program = folder / "sanitized" / sources.name
    document = json.loads(Path(f"{plain}.constraints.json").read_text())
    assert {pair["verdict"] for pair in document["pairs"]} != {"always"}, "nothing may run beside anything else"
    document["program"]["build_id"] = build_id(program)
    Path(f"{program}.constraints.json").write_text(json.dumps(document))
    return program


@dataclass(frozen=True)
class Loaded:
    """What a server did under load, and what was said of it."""

    reports: list[str]  # of ThreadSanitizer, one for each process that had any
    returncode: int
    complaints: str  # on standard error
    load: list[subprocess.CompletedProcess[str]]
    watched: dict[str, Any]  # the run document, while it ran and when it had ended
    figures: dict[str, Any]


def under_load(
    command: Sequence[str | Path],
    load: Sequence[str | Path],
    folder: Path,
    promote: str,
    signals: Sequence[signal.Signals] = (),
) -> Loaded:
    """Runs an instrumented server under this load and sends it the signals half-way."""
    reports, run_file, live = folder / "tsan", folder / "run.json", folder / "live"
    live.mkdir()
    seconds = 8
    server = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={
            **os.environ,
            "LD_PRELOAD": str(TSAN_BUILD / "multivent/libmultivent.so"),
            "TSAN_OPTIONS": f"log_path={reports} exitcode=66",
            "HEDDLE_THREADS": "4",
            "HEDDLE_CONSTRAINTS": f"{command[0]}.constraints.json",
            "HEDDLE_RUN_FILE": str(run_file),
            "HEDDLE_LIVE": str(live),
            "HEDDLE_ORACLE": "1",
            "HEDDLE_PROMOTE": promote,
        },
    )
    try:
        assert server.stdout is not None
        port = server.stdout.readline().strip().rsplit(":", 1)[1]
        done = []
        for half in range(2):
            (live / f"{server.pid}.asked").touch()  # figures are read while they are made
            options = ["--port", port, "--connections", "12", "--duration", str(seconds / 2), "--seed", str(half)]
            done.append(
                subprocess.run(
                    [LOAD, *options, *load], capture_output=True, text=True, check=False, timeout=seconds + 60
                )
            )
            for number in signals if half == 0 else ():
                server.send_signal(number)
        watched = json.loads((live / f"{server.pid}.json").read_text())
    finally:
        server.send_signal(signal.SIGTERM)
        _, complaints = server.communicate(timeout=60)
    found = [path.read_text()[:8000] for path in folder.glob("tsan.*")]
    return Loaded(found, server.returncode, complaints, done, watched, json.loads(run_file.read_text()))


def assert_no_race(
    command: Sequence[str | Path],
    load: Sequence[str | Path],
    folder: Path,
    promote: str,
    signals: Sequence[signal.Signals] = (),
) -> None:
    found = under_load(command, load, folder, promote, signals)
    assert "\n".join(found.reports) == ""
    assert found.returncode == 0, found.complaints
    assert [run.returncode for run in found.load] == [0, 0], found.load
    assert sum(handler["invocations"] for handler in found.watched["handlers"]) > 0, "nobody watched"
    assert found.figures["mode"] == "parallel"
    assert found.figures["peak_parallel"] >= 2, "nothing ran in parallel, so this proved nothing"
