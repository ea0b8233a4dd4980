"""Real servers at real work under multivent with their own constraints, under ThreadSanitizer on request.

A wrong verdict of the analyser, a hole in admission or a race in our runtime shows as a data race between two handlers
of a program that takes no lock.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from heddle.documents.constraints import Constraints
from heddle.documents.trace import load
from testing.servers.debian_programs import BY_NAME, ROOT, SANITIZED, UnfitError, build, environment
from testing.servers.real_servers import Scene, scene
from testing.servers.server_process import build_id

THREADS = 4


@dataclass(frozen=True)
class Server:
    executable: Path
    constraints: Path
    tools: tuple[Path, ...]  # that its setting up needs


Found = TypeVar("Found")


@dataclass(frozen=True)
class Observed(Generic[Found]):
    found: Found  # what the work gave
    reports: list[str]  # of ThreadSanitizer, one for each process that had any
    figures: dict[str, Any]  # the run document
    overlapped: tuple[int, int] = (0, 0)  # invocations, and how many ran while another one did; if it was traced


def with_constraints(name: str, native: Path, folder: Path) -> Server:
    """The program as anyone builds it, and its constraints in `folder`; `native` is our own build."""
    program, place = BY_NAME[name], ROOT / "build/third_party"
    executable = build(program, place, native)
    constraints = folder / f"{name}.constraints.json"
    command: list[str | Path] = [sys.executable, "-m", "heddle", "analyze", executable, "-o", constraints]
    done = subprocess.run(command, env=environment(native), capture_output=True, text=True, check=False)
    if done.returncode:
        raise UnfitError(f"heddle analyze: {(done.stderr.strip().splitlines() or ['?'])[-1][:200]}")
    return Server(executable, constraints, tuple(program.tree(place) / tool for tool in program.tools))


def sanitized(name: str, native: Path, folder: Path) -> Server:
    """The program built with ThreadSanitizer, and the constraints of the same sources built without.

    The instrumentation itself is not part of the program, so the analyser never sees it; only the build id is made to
    fit.
    """
    program, place = BY_NAME[name], ROOT / "build/sanitized"
    plain = with_constraints(name, native, folder)
    executable = build(program, place, native, SANITIZED)
    document = json.loads(plain.constraints.read_text())
    document["program"]["build_id"] = build_id(executable)
    plain.constraints.write_text(json.dumps(document))
    return Server(executable, plain.constraints, tuple(program.tree(place) / tool for tool in program.tools))


@dataclass(frozen=True)
class Overlapping:
    """What a proof by running in parallel rests on."""

    pairs: int
    pairs_together: int  # that may overlap, at least in different sessions
    invocations: int
    overlapped: int  # that ran while another one did
    mode: str
    why: str = ""  # it ran serially

    @property
    def is_serial(self) -> bool:
        return self.mode != "parallel" or self.overlapped == 0

    def __str__(self) -> str:
        if self.is_serial:
            return "it ran serially" + (f": {self.why}" if self.why else "; no two invocations overlapped")
        return (
            f"{self.pairs_together} of {self.pairs} pairs may overlap, "
            f"{self.overlapped} of {self.invocations} invocations did"
        )


def overlapping(server: Server, work: Callable[[Scene], object], native: Path) -> Overlapping:
    """Does the work under multivent, with a thread for every call that may have one."""
    pairs = Constraints(json.loads(server.constraints.read_text())).pairs
    observed = observe(server, work, native, "always", traced=True)
    return Overlapping(
        len(pairs),
        sum(pair.together != "always" for pair in pairs),
        *observed.overlapped,
        observed.figures["mode"],
        observed.figures.get("why", ""),
    )


def overlapped(records: npt.NDArray[np.void]) -> int:
    """How many invocations ran while another one did."""
    ordered = records[np.argsort(records["start_ns"], kind="stable")]
    start, end = ordered["start_ns"].astype(np.int64), ordered["end_ns"].astype(np.int64)
    if len(ordered) == 0:
        return 0
    latest = np.maximum.accumulate(end)
    before = np.append(False, latest[:-1] > start[1:])
    after = np.append(end[:-1] > start[1:], False)
    return int(np.count_nonzero(before | after))


def observe(
    server: Server, work: Callable[[Scene], Found], native: Path, promote: str = "adaptive", traced: bool = False
) -> Observed[Found]:
    """Does the work with the server under the multivent of the build `native`."""
    library = native / "multivent/libmultivent.so"
    with scene(server.executable, library, server.constraints, *server.tools) as stage:
        run_file = stage.folder / "run.json"
        suppressions = stage.beside / "suppressions"
        suppressions.write_text("\n".join(BY_NAME[server.executable.name].suppressions))
        reporting = f"log_path={stage.folder / 'report'} suppressions={suppressions}"
        stage.server = {
            "LD_PRELOAD": str(stage.beside / library.name),
            "TSAN_OPTIONS": f"{reporting} exitcode=66 die_after_fork=0",
            "HEDDLE_THREADS": str(THREADS),
            "HEDDLE_CONSTRAINTS": str(stage.beside / server.constraints.name),
            "HEDDLE_RUN_FILE": str(run_file),
            "HEDDLE_PROMOTE": promote,
        }
        trace = stage.folder / "run.trace"
        if traced:
            stage.server["HEDDLE_TRACE"] = str(trace)
        found = work(stage)
        reports = [path.read_text(errors="replace")[:8000] for path in stage.folder.glob("report.*")]
        if not run_file.exists():
            logs = [path.read_text(errors="replace")[-2000:] for path in stage.folder.glob("*.log")]
            raise AssertionError("\n".join(["the server left no run document", *reports, *logs]))
        calls = (0, 0)
        if trace.exists():
            records = load(trace).records
            calls = len(records), overlapped(records)
        return Observed(found, reports, json.loads(run_file.read_text()), calls)
