"""The entry script: what it sets up before it hands over, in a folder where all that it needs seems to be there."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def entry(tmp_path: Path) -> Path:
    """Its copy; what it would install with npm, and the Python that it hands over to, say that they were called."""
    copy = tmp_path / "heddle"
    shutil.copy(ROOT / "heddle", copy)
    stamps = tmp_path / "build/stamps"
    stamps.mkdir(parents=True)
    (tmp_path / "build/venv/bin").mkdir(parents=True)
    for name in ("tools/debian-packages.txt", "requirements.lock", "pyproject.toml", "node/package-lock.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    for name in ("packages", "python", "release.multivent"):
        (stamps / name).touch()
    for name in ("npm", "python"):
        program = tmp_path / "build/venv/bin" / name
        program.write_text(f'#!/bin/sh\necho {name} >>"{tmp_path}/called"\n')
        program.chmod(0o755)
    return copy


def called(entry: Path, *arguments: str) -> list[str]:
    environment = {name: value for name, value in os.environ.items() if name != "HEDDLE_BUILD"}
    subprocess.run([entry, *arguments], env=environment, check=True, capture_output=True)
    return (entry.parent / "called").read_text().split()


def test_a_compiled_program_needs_no_packages_of_node(entry: Path) -> None:
    assert called(entry, "run", "--threads", "2", "./server") == ["python"]


@pytest.mark.parametrize("program", ["app.js", "app.mjs", "app.cts"])
def test_a_program_for_node_does(entry: Path, program: str) -> None:
    assert "npm" in called(entry, "run", program)


def test_two_at_once_do_not_set_up_at_the_same_time(entry: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "HEDDLE_BUILD"}
    with (entry.parent / "build/stamps/lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        other = subprocess.Popen([entry, "run", "./server"], env=environment, stderr=subprocess.PIPE, text=True)
        time.sleep(0.5)
        assert other.poll() is None
    _, said = other.communicate(timeout=30)
    assert "another heddle sets the project up: waiting for it" in said
    assert (entry.parent / "called").read_text() == "python\n"
