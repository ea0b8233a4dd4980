"""ThreadSanitizer over sessions on libev under multivent: no report, and the sums of plain libev."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from testing.differential import libev_programs
from testing.servers.instrumented import TSAN_BUILD

SOURCE = Path(__file__).resolve().parent / "watchers.c"
# Where the watcher stands in its session.
HANDLERS = {"on_io": 0, "on_soon": 48, "on_late": 96, "on_told": 144}
SESSIONS, ROUNDS = "16", "200"


@pytest.mark.timeout(300)
@pytest.mark.parametrize("promote", ["adaptive", "always", "shared", "in-turn"])
def test_thread_sanitizer_has_nothing_to_report(promote: str, tmp_path: Path) -> None:
    program = libev_programs.program("races", SOURCE, flags=("-fsanitize=thread",), compiler="clang-19")
    plain = libev_programs.program("sums", SOURCE)
    run_file = tmp_path / "run.json"
    settings = {
        "LD_PRELOAD": str(TSAN_BUILD / "multivent/libmultivent.so"),
        "TSAN_OPTIONS": "exitcode=66",
        "HEDDLE_THREADS": "4",
        "HEDDLE_CONSTRAINTS": str(libev_programs.document(program, tmp_path, HANDLERS, "session")),
        "HEDDLE_RUN_FILE": str(run_file),
        "HEDDLE_ORACLE": "1",
        "HEDDLE_PROMOTE": promote,
    }
    variables = [f"{name}={value}" for name, value in settings.items()]
    command = ["setarch", "-R", "env", *variables, str(program)]
    done = subprocess.run([*command, SESSIONS, ROUNDS], capture_output=True, text=True, check=False, env=os.environ)
    assert (done.returncode, done.stderr) == (0, "")
    sums = subprocess.run([plain, SESSIONS, ROUNDS], capture_output=True, text=True, check=True).stdout
    assert done.stdout == sums
    run = json.loads(run_file.read_text())
    assert run["mode"] == "parallel"
    if promote == "always":
        assert run["peak_parallel"] >= 2
