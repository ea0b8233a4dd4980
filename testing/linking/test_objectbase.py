"""Programs outside this tree that use the installed objectbase: found by pkg-config, by pip, by npm."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from testing.servers.matrix import ROOT

BUILD = Path(os.environ.get("HEDDLE_BUILD", ROOT / "build/dev"))


def run(*command: str | Path, cwd: Path | None = None, **environment: str) -> str:
    done = subprocess.run(
        command, cwd=cwd, capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tree, moved to another place after it was installed."""
    if (
        not (BUILD / "objectbase/libheddle_objectbase.a").exists()
        or not (BUILD / "objectbase/libobjectbase.so").exists()
    ):
        pytest.skip("objectbase is not built")
    folder = tmp_path_factory.mktemp("installed")
    run("cmake", "--install", BUILD / "objectbase", "--prefix", folder / "first")
    return (folder / "first").rename(folder / "moved")


def flags(installed: Path, package: str) -> list[str]:
    where = str(installed / "lib/pkgconfig")
    return run("pkg-config", "--cflags", "--libs", package, PKG_CONFIG_PATH=where).split()


@pytest.mark.parametrize(
    ("compiler", "source", "package"),
    [("g++ -std=c++20", "board.cpp", "objectbase"), ("gcc -std=gnu11", "board.c", "objectbase-c")],
)
def test_a_program_finds_it_by_pkg_config(
    installed: Path, tmp_path: Path, compiler: str, source: str, package: str
) -> None:
    program = tmp_path / "board"
    warnings = ["-Wall", "-Wextra", "-Werror"]
    path = ROOT / "examples/objectbase" / source
    run(*compiler.split(), *warnings, path, "-o", program, *flags(installed, package))
    where = {"LD_LIBRARY_PATH": str(installed / "lib")}
    run(program, tmp_path / "list", "add", "found", **where)
    assert run(program, tmp_path / "list", "list", **where) == "1 found\n"


def test_a_program_keeps_a_store(installed: Path, tmp_path: Path) -> None:
    source = tmp_path / "keep.cpp"
    source.write_text(
        """#include <objectbase/keep/keeper.hpp>
        int main(int, char** words) { const objectbase::Keeper keeper(words[1], words[2]); }"""
    )
    run("g++", "-std=c++20", source, "-o", tmp_path / "keep", *flags(installed, "objectbase-keep"))
    board = tmp_path / "board"
    run("g++", "-std=c++20", ROOT / "examples/objectbase/board.cpp", "-o", board, *flags(installed, "objectbase"))
    run(board, tmp_path / "list", "add", "found")
    run(tmp_path / "keep", tmp_path / "list", tmp_path / "kept")
    run(installed / "bin/heddle-objectbase", "restore", tmp_path / "again", tmp_path / "kept")
    assert run(board, tmp_path / "again", "list") == "1 found\n"


def test_pip_makes_a_wheel_of_it(installed: Path, tmp_path: Path) -> None:
    """And what is installed from the wheel needs nothing beside it."""
    options = ["--quiet", "--disable-pip-version-check", "--no-index", "--no-deps"]
    pip = [sys.executable, "-m", "pip"]
    package = installed / "share/objectbase/python"
    run(*pip, "wheel", *options, "--no-build-isolation", package, "--wheel-dir", tmp_path / "wheels")
    (wheel,) = (tmp_path / "wheels").iterdir()
    assert re.fullmatch(r"objectbase-[0-9.]+-py3-none-linux_\w+\.whl", wheel.name)
    run(*pip, "install", *options, wheel, "--target", tmp_path / "site")
    board = ROOT / "examples/objectbase/board.py"
    environment = {name: value for name, value in os.environ.items() if name != "OBJECTBASE_LIBRARY"}
    for words in (("add", "found"), ("list",)):
        done = subprocess.run(
            [sys.executable, board, tmp_path / "list", *words],
            env={**environment, "PYTHONPATH": str(tmp_path / "site")},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "1 found\n"


def test_npm_packs_all_of_it(installed: Path) -> None:
    package = installed / "share/objectbase/node"
    done = run(Path(sys.executable).with_name("npm"), "pack", "--json", "--ignore-scripts", cwd=package)
    (packed,) = json.loads(done)
    assert {"index.js", "index.d.ts", "library.js", "libobjectbase.so", "package.json"} <= {
        file["path"] for file in packed["files"]
    }
