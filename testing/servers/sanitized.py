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
from typing import Any

from debian_programs import BY_NAME, ROOT, SANITIZED, UnfitError, build, environment
from real_servers import Scene, scene
from server_process import build_id

THREADS = 4


@dataclass(frozen=True)
class Server:
    executable: Path
    constraints: Path
    tools: tuple[Path, ...]  # that its setting up needs


@dataclass(frozen=True)
class Observed:
    reports: str  # of ThreadSanitizer
    figures: dict[str, Any]  # the run document


def sanitized(name: str, native: Path, folder: Path) -> Server:
    """The program built with ThreadSanitizer, and the constraints of the same sources built without.

    The instrumentation itself is not part of the program, so the analyser never sees it; only the build id is made to
    fit. `native` is our own build, `folder` is for constraints.
    """
    program, place = BY_NAME[name], ROOT / "build/sanitized"
    plain = build(program, ROOT / "build/third_party", native)
    executable = build(program, place, native, SANITIZED)
    constraints = folder / f"{name}.constraints.json"
    command = [sys.executable, "-m", "heddle", "analyze", plain, "-o", constraints]
    done = subprocess.run(command, env=environment(native), capture_output=True, text=True, check=False)
    if done.returncode:
        raise UnfitError(f"heddle analyze: {(done.stderr.strip().splitlines() or ['?'])[-1][:200]}")
    document = json.loads(constraints.read_text())
    document["program"]["build_id"] = build_id(executable)
    constraints.write_text(json.dumps(document))
    return Server(executable, constraints, tuple(program.tree(place) / tool for tool in program.tools))


def observe(server: Server, work: Callable[[Scene], None], native: Path, promote: str = "adaptive") -> Observed:
    """Does the work with the server under the multivent of the build `native`."""
    library = native / "multivent/libmultivent.so"
    with scene(server.executable, library, server.constraints, *server.tools) as stage:
        run_file = stage.folder / "run.json"
        stage.server = {
            "LD_PRELOAD": str(stage.beside / library.name),
            "TSAN_OPTIONS": f"log_path={stage.folder / 'report'} exitcode=66 die_after_fork=0",
            "HEDDLE_THREADS": str(THREADS),
            "HEDDLE_CONSTRAINTS": str(stage.beside / server.constraints.name),
            "HEDDLE_RUN_FILE": str(run_file),
            "HEDDLE_ORACLE": "1",
            "HEDDLE_PROMOTE": promote,
        }
        work(stage)
        reports = "\n".join(path.read_text(errors="replace")[:8000] for path in stage.folder.glob("report.*"))
        if not run_file.exists():
            logs = "\n".join(path.read_text(errors="replace")[-2000:] for path in stage.folder.glob("*.log"))
            raise AssertionError(f"the server left no run document\n{reports}\n{logs}")
        return Observed(reports, json.loads(run_file.read_text()))
