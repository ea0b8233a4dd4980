"""Writers and readers that are killed at random, for a while: nobody sees half a transaction, and nothing is lost.

HEDDLE_KILL_SECONDS says for how long. `objectbase_kill_test` kills one process at each instruction; here several run.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from testing.objectbase.conftest import BUILT
from testing.servers.matrix import ROOT

MONEY = 50_000


@pytest.fixture(scope="module")
def transfers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("transfers") / "transfers"
    source = Path(__file__).with_name("transfers.c")
    library = [BUILT / "libobjectbase.so", f"-Wl,-rpath,{BUILT}"]
    flags = ["-O1", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-I", ROOT]
    subprocess.run(["gcc", *flags, source, "-o", program, *library], check=True)
    return program


def kill_for(seconds: float, transfers: Path, store: Path) -> int:
    """How many processes were killed."""
    chance = random.Random(7)
    running: list[tuple[str, subprocess.Popen[str]]] = []

    def start(what: str) -> None:
        seed = str(chance.randrange(1 << 30))
        running.append((what, subprocess.Popen([transfers, store, what, seed], stderr=subprocess.PIPE, text=True)))

    def end(process: subprocess.Popen[str]) -> None:
        process.kill()
        _, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (-9, "")

    killed = 0
    until = time.monotonic() + seconds
    try:
        for what in ("write", "write", "read", "read"):
            start(what)
        while time.monotonic() < until:
            time.sleep(chance.random() * 0.02)
            chance.shuffle(running)
            what, process = running.pop()
            end(process)
            killed += 1
            start(what)
        while running:
            end(running.pop()[1])
    finally:
        for _, process in running:
            process.kill()
    return killed


LONG = float(os.environ.get("HEDDLE_KILL_SECONDS", "60"))


@pytest.mark.parametrize("seconds", [5, pytest.param(LONG, marks=[pytest.mark.slow, pytest.mark.timeout(0)])])
def test_nobody_sees_half_a_transaction(transfers: Path, folder: Path, seconds: float) -> None:
    store = folder / "store"
    subprocess.run([transfers, store, "new", str(MONEY)], check=True)
    killed = kill_for(seconds, transfers, store)
    print(f"{killed} processes were killed")
    heddle = [sys.executable, "-m", "heddle", "objectbase"]
    verified = subprocess.run([*heddle, "verify", store], capture_output=True, text=True, check=False)
    assert (verified.stderr, verified.returncode) == ("", 0), verified.stdout
    dumped = subprocess.run([*heddle, "dump", store], capture_output=True, text=True, check=True).stdout
    records = [json.loads(line) for line in dumped.splitlines()]
    assert sum(record["values"]["money"] for record in records if "values" in record) == MONEY
    figures = json.loads(subprocess.run([*heddle, "inspect", "--json", store], capture_output=True, check=True).stdout)
    assert (figures["processes"], figures["watches"]) == (0, 0)
    # Nothing that the dead kept stays: versions that wait are those of the last few transactions.
    assert figures["superseded_versions"] < 200
    assert killed > seconds
