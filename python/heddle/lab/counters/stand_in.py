"""A scenario under callgrind: this module is also the program that callgrind runs."""

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from heddle.lab.counters import callgrind


def counts_of(scenario: str, model: str, scale: float) -> dict[str, dict[str, float]]:
    """What each thread did, in the names of `events`."""
    from heddle.lab import measuring
    from heddle.lab.scenarios import catalogue

    catalogue.find(scenario)
    measuring.models_of([model], "natural")
    # One write of bytecode more or less is no part of a scenario.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", __name__, scenario, model, str(scale)]
    with tempfile.TemporaryDirectory(prefix="heddle-callgrind-") as folder:
        return {f"thread {name}": each for name, each in callgrind.run(command, Path(folder), environment).items()}


def main(words: Sequence[str]) -> None:
    from heddle.lab import measuring, run
    from heddle.lab.scenarios import catalogue
    from heddle.lab.scenarios.stage import Options
    from heddle.system import places

    scenario, model, scale = words
    work = places.root() / "build" / "lab"
    work.mkdir(parents=True, exist_ok=True)
    with catalogue.find(scenario).open(Options(work, scale=float(scale))) as stage:
        run(stage.scenario, measuring.models_of([model], "natural")[0], timeout=measuring.TIMEOUT_S)


if __name__ == "__main__":
    main(sys.argv[1:])
