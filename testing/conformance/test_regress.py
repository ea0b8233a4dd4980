"""libevent's own regression suite on our core: whatever passes on plain libevent passes here, but for a list."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from regress import PASSING, parse, run_suite

from heddle.elf import Elf

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = Path(os.environ.get("HEDDLE_BUILD", ROOT / "build/dev"))
# Ways to run the core; the first one in every test run, the others when asked for all.
MODES = {
    "inline": {"HEDDLE_SERIAL": "1"},
    "handed-over": {"HEDDLE_THREADS": "4", "HEDDLE_PROMOTE": "always"},
}


def write_constraints(program: Path, path: Path) -> None:
    """A document that knows no handler of `program`: everything conflicts with everything, and yet threads share it."""
    document = {
        "schema": "heddle/constraints",
        "version": 1,
        "tool": {"name": "conformance", "version": "1"},
        "program": {"name": program.name, "build_id": Elf(program).build_id()},
        **{part: [] for part in ("handlers", "objects", "accesses", "pairs", "assumptions")},
    }
    path.write_text(json.dumps(document))


def known_failures(mode: str) -> dict[str, str]:
    """Test name -> why it fails in this mode."""
    listed = {}
    for line in (HERE / "known_failures.txt").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            name, modes, reason = line.split(maxsplit=2)
            if modes in ("all", mode):
                listed[name] = reason
    return listed


@pytest.fixture(scope="session")
def regress() -> Path:
    folder = ROOT / "build/third_party/conformance"
    subprocess.run([HERE / "build_regress", folder], check=True, stdin=subprocess.DEVNULL)
    return folder / "regress"


@pytest.fixture(scope="session")
def plain(regress: Path) -> dict[str, str]:
    return run_suite(regress, {})


def failing(verdicts: dict[str, str]) -> set[str]:
    return {name for name, verdict in verdicts.items() if verdict not in PASSING}


def test_parser_tells_passed_failed_and_crashed_apart() -> None:
    output = "main/a: [forking] OK\nmain/b: \n  FAIL x.c:1: assert(y)\n  [b FAILED]\nmain/c: SKIPPED\nmain/d: \n"
    assert parse(output) == {"main/a": "OK", "main/b": "FAILED", "main/c": "SKIPPED", "main/d": "CRASHED"}


@pytest.mark.timeout(1200)
@pytest.mark.parametrize(
    "mode", [mode if mode == "inline" else pytest.param(mode, marks=pytest.mark.slow) for mode in MODES]
)
def test_what_passes_on_libevent_passes_on_our_core(
    regress: Path, plain: dict[str, str], mode: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = tmp_path / "constraints.json"
    write_constraints(regress, document)
    environment = {
        "LD_PRELOAD": str(BUILD / "multivent/libmultivent.so"),
        "HEDDLE_CONSTRAINTS": str(document),
        "HEDDLE_SUMMARY": "0",
        **MODES[mode],
    }
    said = subprocess.run(
        [regress, "--no-fork", "main/simpletimeout"],
        env={**os.environ, **environment, "HEDDLE_SUMMARY": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ("heddle: serial, because" in said.stderr) == (mode == "inline"), said.stderr
    ours = run_suite(regress, environment)
    with capsys.disabled():
        for who, verdicts in (("plain libevent", plain), (f"our core, {mode}", ours)):
            print(f"\n  {who}: {dict(sorted(Counter(verdicts.values()).items()))}", end="")
        print()
    known = known_failures(mode)
    new = failing(ours) - failing(plain) - known.keys()
    assert new == set(), f"these pass on libevent and fail here: {sorted(new)}"
    # What fails for want of time between two threads may also pass.
    stale = known_failures("inline").keys() - failing(ours)
    assert stale == set(), f"these pass now, take them off known_failures.txt: {sorted(stale)}"
