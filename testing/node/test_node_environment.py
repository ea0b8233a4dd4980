"""A program finds the environment and the command line that it would find under plain node.

The environment is also that of the processes that it starts. Words of the command line are Heddle's only where they
would be options of node's.
"""

from __future__ import annotations

import json
import os
import re
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
    # Everyday names, which a shell script might have, too.
    **{name: f"{name} of the user" for name in ("dist", "here", "left", "live", "name", "node", "own", "record")},
    **{name: f"{name} of the user" for name in ("report", "ship", "word", "words", "workers", "options", "args")},
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


SHOWS = "console.log(JSON.stringify([process.argv.slice(1), process.execArgv, process.title]));"
# Words for Heddle among others, and what stays of them for node.
LINES = (
    (["--", "app.js", "--workers", "3"], ["--", "app.js", "--workers", "3"]),
    (["--workers", "1", "--", "app.js", "--report"], ["--", "app.js", "--report"]),
    (["--", "--workers", "3"], ["--", "--workers", "3"]),
    (["-", "--report", "--workers", "3"], ["-", "--report", "--workers", "3"]),
    (["-e", SHOWS, "--", "--workers", "3"], ["-e", SHOWS, "--", "--workers", "3"]),
    (["-e", SHOWS, "a", "--report"], ["-e", SHOWS, "a", "--report"]),
    (["-e", SHOWS, "--workers=1", "--", "--report"], ["-e", SHOWS, "--", "--report"]),
    (["--title", "app.js", "--workers", "1", "app.js", "x"], ["--title", "app.js", "app.js", "x"]),
    (["--env-file", "app.env", "--ship=never", "app.js"], ["--env-file", "app.env", "app.js"]),
    (["--env_file", "app.env", "--ship=never", "app.js"], ["--env_file", "app.env", "app.js"]),
    (["-p", "--title", "x", "--workers", "1", "-e", "1"], ["-p", "--title", "x", "-e", "1"]),
    (["--print", "process.argv", "--ship", "auto", "y"], ["--print", "process.argv", "y"]),
    (["--title", "--workers", "3", "app.js"], ["--title", "--workers", "3", "app.js"]),
)


@pytest.mark.parametrize("version", VERSIONS)
def test_words_for_the_program_reach_it(version: int, tmp_path: Path) -> None:
    for name, text in {"app.js": SHOWS, "app.env": "A=1\n"}.items():
        (tmp_path / name).write_text(text)
    home = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "HEDDLE_NODE": str(node(version))}

    def shown(words: list[str]) -> tuple[int, str, str]:
        done = subprocess.run(
            words, cwd=tmp_path, env=home, input=SHOWS, capture_output=True, text=True, check=False, timeout=60
        )
        return done.returncode, done.stdout, done.stderr

    for ours, nodes in LINES:
        assert shown([str(PACKAGE / "bin/heddle-node"), *ours]) == shown([str(node(version)), *nodes]), ours


@pytest.mark.parametrize("version", VERSIONS)
def test_options_of_node_that_take_the_next_word_are_known(version: int, tmp_path: Path) -> None:
    """Node itself says which ones do: what comes behind them may not look like an option."""

    def said(words: list[str | Path], **extra: str) -> str:
        env = {"PATH": os.environ["PATH"], **extra}
        done = subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, text=True, check=False, timeout=60)
        return done.stdout + done.stderr

    lists = said([node(version), "--completion-bash"]) + said([node(version), "--help"])
    options = {one.removesuffix("-") for one in re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", lists)}
    assert len(options) > 180
    shows = tmp_path / "shows"
    # It is asked about the one option that takes a word in some versions only.
    shows.write_text(f'#!/bin/sh\n[ "$2" != --none ] || exec {node(version)} "$@"\necho "$*"\n')
    shows.chmod(0o755)
    wrong = []
    for option in sorted(options - {"-h", "--help", "--version", "--prof-process", "-p", "--print"}):
        refused = said([node(version), option, "--no-such-option"])
        if "illegal value for flag" in refused:
            continue  # V8's own, and nothing that runs has it in two words
        # Some files are opened before options are looked at.
        takes = re.search("requires an argument|no-such-option:? not found", refused) is not None
        ours = said([PACKAGE / "bin/heddle-node", option, "x", "--report", "app.js"], HEDDLE_NODE=str(shows))
        if ours.strip().endswith(f"{option} x app.js") != takes:
            wrong.append(option)
    assert wrong == []
