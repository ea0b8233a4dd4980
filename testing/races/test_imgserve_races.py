"""ThreadSanitizer over imgserve under multivent with its own constraints and load: no report.

A wrong verdict of the analyser, a hole in admission or a race in our runtime shows here as a data race between two
handlers of a program that takes no lock.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = Path(os.environ.get("HEDDLE_BUILD", ROOT / "build/dev"))
TSAN_BUILD = Path(os.environ.get("HEDDLE_TSAN_BUILD", ROOT / "build/tsan"))
PYTHON = ROOT / "build/venv/bin/python"
SECONDS = 8


def heddle(*arguments: str | Path, cwd: Path) -> None:
    subprocess.run(
        [PYTHON, "-m", "heddle", *map(str, arguments)],
        cwd=cwd,
        check=True,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "HEDDLE_ROOT": str(ROOT), "HEDDLE_BUILD": str(BUILD)},
    )


def build_id(program: Path) -> str:
    notes = subprocess.run(["readelf", "-n", program], capture_output=True, text=True, check=True).stdout
    return notes.split("Build ID:")[1].split()[0]


@pytest.fixture(scope="module")
def instrumented(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """imgserve built with ThreadSanitizer; beside it the constraints of the same sources built without.

    The instrumentation itself is not part of the program, so the analyser never sees it; only the build id is made to
    fit.
    """
    folder = tmp_path_factory.mktemp("races")
    plain, sanitized = folder / "plain", folder / "sanitized"
    for copy in (plain, sanitized):
        shutil.copytree(ROOT / "examples/imgserve", copy, ignore=shutil.ignore_patterns("*.o", "imgserve"))
    heddle("build", "--", "make", cwd=plain)
    heddle("analyze", plain / "imgserve", cwd=plain)
    subprocess.run(
        ["make", "CC=clang-19", "CFLAGS=-O1 -g -fsanitize=thread", "LDFLAGS=-fsanitize=thread"],
        cwd=sanitized,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    program = sanitized / "imgserve"
    document = json.loads((plain / "imgserve.constraints.json").read_text())
    assert {pair["verdict"] for pair in document["pairs"]} >= {"session", "always"}
    document["program"]["build_id"] = build_id(program)
    Path(f"{program}.constraints.json").write_text(json.dumps(document))
    return program


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pictures")
    subprocess.run(
        [PYTHON, ROOT / "examples/imgserve/make_pictures.py", "--count", "24", folder],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return folder


@pytest.mark.timeout(300)
@pytest.mark.parametrize("promote", ["adaptive", "always"])
def test_thread_sanitizer_has_nothing_to_report(
    instrumented: Path, pictures: Path, tmp_path: Path, promote: str
) -> None:
    reports, run_file = tmp_path / "tsan", tmp_path / "run.json"
    server = subprocess.Popen(
        # The little cache makes store evict; the short idle time makes sweep close connections under load.
        [instrumented, "-p", "0", "-d", pictures, "-c", "1", "-i", "1", "-l", tmp_path / "access.log"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={
            **os.environ,
            "LD_PRELOAD": str(TSAN_BUILD / "multivent/libmultivent.so"),
            "TSAN_OPTIONS": f"log_path={reports} exitcode=66",
            "HEDDLE_THREADS": "4",
            "HEDDLE_CONSTRAINTS": f"{instrumented}.constraints.json",
            "HEDDLE_RUN_FILE": str(run_file),
            "HEDDLE_ORACLE": "1",
            "HEDDLE_PROMOTE": promote,
        },
    )
    try:
        assert server.stdout is not None
        port = server.stdout.readline().strip().rsplit(":", 1)[1]
        names = sorted(path.name for path in pictures.glob("*.jpg"))
        routes = [word for name in names for word in ("--path", f"/thumb/{name}?w=80=1")]
        command = [
            BUILD / "testing/load/heddle-load",
            "--port",
            port,
            "--connections",
            "12",
            "--duration",
            str(SECONDS),
        ]
        command += [
            *routes,
            "--path",
            "/hello=8",
            "--path",
            "/missing=1",
            "--any-status",
            "--probe",
            "/stats",
            "--json",
        ]
        load = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS + 60,
        )
    finally:
        server.send_signal(signal.SIGTERM)
        _, complaints = server.communicate(timeout=60)
    found = "\n".join(path.read_text()[:4000] for path in tmp_path.glob("tsan.*"))
    assert found == ""
    assert server.returncode == 0, complaints
    assert load.returncode == 0, load.stdout + load.stderr
    figures = json.loads(run_file.read_text())
    assert figures["mode"] == "parallel"
    assert figures["peak_parallel"] >= 2, "nothing ran in parallel, so this proved nothing"
