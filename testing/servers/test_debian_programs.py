"""Other people's programs, built with `heddle build`: what the analysis must find in them. Slow, and needs a mirror."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from testing.servers.debian_programs import PROGRAMS, ROOT, Program, UnfitError, build, environment, fetch

BUILD = Path(os.environ.get("HEDDLE_BUILD", ROOT / "build/dev"))
SOURCES = ROOT / "build/third_party"
# A C library on libevent with programs that link it as a shared library; built by CMake, with no configure script.
EVHTP = (
    "cmake -S . -B out -DCMAKE_C_COMPILER=/usr/bin/gcc -DBUILD_SHARED_LIBS=ON -DEVHTP_DISABLE_REGEX=ON"
    " && cmake --build out --target examples -j 2"
)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(5400)]


def heddle(*words: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "heddle", *map(str, words)]
    return subprocess.run(command, cwd=cwd, env=environment(BUILD), capture_output=True, text=True, check=False)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_every_handler_that_a_person_finds_is_found(program: Program, tmp_path: Path) -> None:
    try:
        executable = build(program, SOURCES, BUILD)
    except UnfitError as error:
        if str(error).startswith("not fetched"):
            pytest.skip(str(error))
        raise
    done = heddle("analyze", "--json", executable, "-o", tmp_path / "document.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = {handler["name"] for handler in json.loads(done.stdout)["handlers"]}
    listed = program.handlers()
    print(f"{program.name}: {len(listed)} handlers by reading, {len(found - listed)} beyond those")
    assert listed - found == set()


def test_a_package_that_cmake_builds_is_analysed_with_its_library(tmp_path: Path) -> None:
    try:
        fetch("libevhtp", tmp_path)
    except UnfitError as error:
        pytest.skip(str(error))
    tree = tmp_path / "libevhtp"
    built = heddle("build", "--", "sh", "-c", EVHTP, cwd=tree)
    assert built.returncode == 0, built.stdout + built.stderr
    done = heddle("analyze", "--json", "out/examples/test_vhost", cwd=tree)
    assert done.returncode == 0, done.stderr
    assert "with the bitcode of libevhtp.so.0 (" in done.stderr
    document = json.loads(done.stdout)
    names = {handler["name"] for handler in document["handlers"]}
    # All of libevent's callbacks are in the library; the program has those that the library calls.
    assert {"htp__accept_cb_", "htp__connection_readcb_", "htp__connection_writecb_"} <= names
    unknown = {item["name"] for item in document["assumptions"] if item["kind"] == "unknown_external"}
    assert not any(name.startswith(("evhtp_", "htp__")) for name in unknown)
