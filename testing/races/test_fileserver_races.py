"""ThreadSanitizer over fileserver under multivent: no report."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

import pytest

from testing.servers.instrumented import PYTHON, assert_no_race, instrumented
from testing.servers.matrix import ROOT


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return instrumented(ROOT / "examples/fileserver", tmp_path_factory.mktemp("races"))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    make = [PYTHON, ROOT / "examples/fileserver/make_files.py", folder / "root", "--mix", folder / "mix.txt"]
    subprocess.run([*make, "--small", "40", "--large", "4"], check=True, stdout=subprocess.DEVNULL)
    (folder / "throttles").write_text("/d1/** 4000000\n/d7/** 6000000\n")
    return folder


@pytest.mark.timeout(300)
@pytest.mark.parametrize("promote", ["adaptive", "always"])
def test_thread_sanitizer_has_nothing_to_report(program: Path, files: Path, tmp_path: Path, promote: str) -> None:
    # Little memory for maps makes the clean-up run all the time; the short times do the same for the timers.
    command = [program, "-p", "0", "-d", files / "root", "-c", "1", "-i", "1", "-s", "1"]
    command += ["-t", files / "throttles", "-l", tmp_path / "access.log"]
    load = ["--mix", files / "mix.txt", "--path", "/missing=4", "--any-status", "--probe", "/d0/", "--json"]
    # Throttled files may be refused for a while: 503 and the file are both right.
    load += ["--varying", "/d1", "--varying", "/d7"]
    assert_no_race(command, load, tmp_path, promote, [signal.SIGHUP])
