"""A program outside this tree that uses the installed objectbase, found by pkg-config."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from testing.servers.matrix import ROOT

BUILD = Path(os.environ.get("HEDDLE_BUILD", ROOT / "build/dev"))


def run(*command: str | Path, **environment: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **environment})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_program_finds_it_by_pkg_config(tmp_path: Path) -> None:
    if not (BUILD / "objectbase/libheddle_objectbase.a").exists():
        pytest.skip("objectbase is not built")
    prefix = tmp_path / "first"
    run("cmake", "--install", BUILD / "objectbase", "--prefix", prefix)
    moved = prefix.rename(tmp_path / "moved")
    flags = run("pkg-config", "--cflags", "--libs", "objectbase", PKG_CONFIG_PATH=str(moved / "lib/pkgconfig")).split()
    program = tmp_path / "board"
    run(
        "g++",
        "-std=c++20",
        "-Wall",
        "-Wextra",
        "-Werror",
        ROOT / "examples/objectbase/board.cpp",
        "-o",
        program,
        *flags,
    )
    run(program, tmp_path / "list", "add", "found")
    assert run(program, tmp_path / "list", "list") == "1 found\n"
