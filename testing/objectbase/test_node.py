"""The package for Node, by Node's own test runner."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from heddle.system import nodejs
from testing.servers.matrix import ROOT


def test_the_package_for_node(folder: Path, tmp_path: Path) -> None:
    package = tmp_path / "node_modules/objectbase"
    shutil.copytree(ROOT / "objectbase/node", package)
    for needed in ("koffi", "@koromix"):
        (tmp_path / "node_modules" / needed).symlink_to(ROOT / "node/node_modules" / needed)
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
