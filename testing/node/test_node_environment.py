"""A program finds the environment that it would find under plain node, and so do the processes that it starts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from testing.node.node_runs import MAIN_VERSION, PACKAGE, ROOT, VERSIONS, node

PROGRAM = """\
const { spawnSync } = require('node:child_process');
const sorted = (env) => JSON.stringify(Object.entries(env).sort(), null, 1);
console.log(sorted(process.env), process.execArgv);
const show = 'console.log(JSON.stringify(Object.entries(process.env).sort()), process.execArgv)';
console.log(spawnSync(process.execPath, ['-e', show], { encoding: 'utf8' }).stdout);
console.log(spawnSync('env', { encoding: 'utf8' }).stdout.split('\\n').filter((line) => !line.startsWith('_=')).sort());
"""
# What a user may set: it stays, with whatever meaning it has for Heddle. Without a locale, Python would add LC_CTYPE.
GIVEN = {
    "NODE_OPTIONS": "--max-old-space-size=512 --no-warnings",
    "HEDDLE_WORKERS": "1",
    "HEDDLE_REPORT": "0",
    "A": "a b",
}


def given(version: int, folder: Path) -> dict[str, str]:
    path = f"{node(version).parent}{os.pathsep}{os.environ['PATH']}"
    return {**GIVEN, "PATH": path, "HOME": str(folder), "PWD": str(folder)}


def seen(words: list[str | Path], version: int, folder: Path, extra: dict[str, str] | None = None) -> str:
    (folder / "app.js").write_text(PROGRAM)
    env = given(version, folder) | (extra or {})
    done = subprocess.run(
        [*words, "app.js"], cwd=folder, env=env, capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("version", VERSIONS)
def test_under_heddle_node(version: int, tmp_path: Path) -> None:
    plain = seen([node(version)], version, tmp_path)
    assert "max-old-space-size" in plain
    script = PACKAGE / "bin/heddle-node"
    assert seen([script], version, tmp_path) == plain
    options = ["--workers", "2", "--ship=always", f"--run-file={tmp_path / 'run.json'}", f"--live={tmp_path}"]
    assert seen([script, *options], version, tmp_path) == plain
    off = {"HEDDLE": "off"}
    assert seen([script, "--live=x"], version, tmp_path, off) == seen([node(version)], version, tmp_path, off)


def test_under_heddle_run(tmp_path: Path) -> None:
    # Where the sources are is what ./heddle says, and takes away again.
    own = {"HEDDLE_ROOT": str(ROOT), "HEDDLE_BUILD": str(ROOT / "build/release")}
    run = [sys.executable, "-m", "heddle", "run"]
    path = os.environ.get("PYTHONPATH")
    python = {"PYTHONPATH": path} if path else {}
    plain = seen([node(MAIN_VERSION)], MAIN_VERSION, tmp_path, python)
    assert seen(run, MAIN_VERSION, tmp_path, own | python) == plain
    assert seen([*run, "--workers", "2"], MAIN_VERSION, tmp_path, own | python) == plain


def test_a_program_under_heddle_run_is_shown_to_heddle_top(tmp_path: Path) -> None:
    program = tmp_path / "app.js"
    program.write_text("function twice(n) { let s = 0; for (const x of [n, n]) s += x; return s; } twice(1);\n")
    env = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path), "HEDDLE_NODE": str(node(MAIN_VERSION))}
    subprocess.run([sys.executable, "-m", "heddle", "run", program], env=env, check=True, timeout=60)
    (shown,) = (tmp_path / "heddle").glob("*.json")
    assert json.loads(shown.read_text())["program"]["name"] == str(program)
