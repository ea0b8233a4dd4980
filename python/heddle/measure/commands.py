"""Programs that a measurement starts: without settings that would change how they run, and heard when they fail."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from heddle.errors import BadInputError

_CHANGES_RUNS = ("HEDDLE", "LD_PRELOAD", "NODE_")


def clean_environment() -> dict[str, str]:
    """This process's environment without what would change how a program, Node.js or Heddle runs."""
    return {name: value for name, value in os.environ.items() if not name.startswith(_CHANGES_RUNS)}


# What Debian 12 does not have, or has too old.
_ELSEWHERE = {"go": "peers need Go 1.24 or newer on the PATH: https://go.dev/dl"}


def call(command: Sequence[str | Path], cwd: Path | None = None, environment: Mapping[str, str] | None = None) -> str:
    """Runs to the end; what it said on standard output, or its last line of complaint as an error."""
    try:
        done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        name = Path(command[0]).name
        raise BadInputError(f"{name} is not here", _ELSEWHERE.get(name, f"install what has {name}")) from error
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).strip().splitlines() or ["no message"]
        raise BadInputError(f"{Path(command[0]).name} failed ({lines[-1]})", "run it by hand to see more")
    return done.stdout
