"""What real servers at real work (testing/servers/real_servers.py) do under the oracle."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from testing.servers.debian_programs import BY_NAME, TRACED, UnfitError, build, environment
from testing.servers.real_servers import Scene, scene


@dataclass(frozen=True)
class Witnessed:
    """What `heddle check` says of one run, with the constraints of the program as it was built for it."""

    invocations: int
    failures: list[Any]
    not_listed: list[str]
    pairs: int
    pairs_witnessed: int
    conflicts: int
    conflicts_witnessed: int

    def __str__(self) -> str:
        return (
            f"{self.invocations} invocations; witnessed {self.pairs_witnessed} of {self.pairs} pairs, "
            f"{self.conflicts_witnessed} of {self.conflicts} pairs and objects"
        )


def witness(name: str, work: Callable[[Scene], None], folder: Path, native: Path) -> Witnessed:
    """Builds the program with tracing below `folder`, has it do the work, and checks what it did."""
    executable = build(BY_NAME[name], folder, native, TRACED)
    constraints = executable.with_name(f"{executable.name}.constraints.json")
    _heddle(native, "analyze", executable, "-o", constraints)
    with scene(executable, native / "elyze/oracle/libheddle_oracle.so") as stage:
        trace = stage.folder / "accesses"
        library = {"LD_LIBRARY_PATH": str(stage.beside)}
        stage.server = library | {"HEDDLE_ACCESSES": str(trace)}
        # Each process leaves a trace of its own, and only the server's is of interest.
        stage.client = library | {"HEDDLE_ACCESSES": str(stage.folder / "client.%p")}
        work(stage)
        checked = _heddle(native, "check", trace, constraints, "--json", codes=(0, 1))
    found = json.loads(checked)
    predicted = found["predicted"]
    return Witnessed(
        found["invocations"],
        found["failures"],
        found["not_listed"],
        predicted["pairs"],
        predicted["pairs_witnessed"],
        len(predicted["conflicts"]),
        sum(bool(conflict["witnessed"]) for conflict in predicted["conflicts"]),
    )


def _heddle(native: Path, *words: str | Path, codes: Sequence[int] = (0,)) -> str:
    command = [sys.executable, "-m", "heddle", *map(str, words)]
    done = subprocess.run(command, env=environment(native), capture_output=True, text=True, check=False)
    if done.returncode not in codes:
        raise UnfitError(f"heddle {words[0]}: {(done.stderr.strip().splitlines() or ['?'])[-1][:200]}")
    return done.stdout
