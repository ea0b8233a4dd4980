"""The package for Node, by Node's own test runner."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from heddle.system import nodejs
from testing.servers.matrix import ROOT


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Beside what it needs, as npm install does it."""
    package = tmp_path / "node_modules/objectbase"
    shutil.copytree(ROOT / "objectbase/node", package)
    for needed in ("koffi", "@koromix", "@types"):
        (tmp_path / "node_modules" / needed).symlink_to(ROOT / "node/node_modules" / needed)
    return package


def test_the_package_for_node(package: Path, folder: Path) -> None:
    done = subprocess.run(
        [nodejs.node(), "--test", "--test-reporter=tap", Path(__file__).with_name("bindings.test.mjs")],
        env={**os.environ, "PACKAGE": str(package), "FOLDER": str(folder)},
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "# pass 8" in done.stdout


def test_its_types_are_those_that_programs_use(package: Path, tmp_path: Path) -> None:
    shutil.copy(Path(__file__).with_name("bindings_types.ts"), tmp_path)
    compiler = ROOT / "node/node_modules/typescript/bin/tsc"
    options = ["--noEmit", "--strict", "--module", "nodenext", "--types", "node"]
    command = [nodejs.node(), compiler, *options, "bindings_types.ts"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=110, check=False)
    assert (done.stdout, done.returncode) == ("", 0)
    assert package.is_dir()
