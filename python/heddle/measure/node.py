"""A Node.js program as a contender: in plain Node, or under heddle-node."""

import json
import re
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from heddle.documents import contracts
from heddle.errors import BadInputError
from heddle.measure.commands import clean_environment
from heddle.measure.load import WrongAnswersError
from heddle.system import nodejs

_ERROR = re.compile(r"\w*Error")


def version() -> str:
    return subprocess.run([nodejs.node(), "--version"], capture_output=True, text=True, check=True).stdout.strip()


def environment() -> dict[str, str]:
    """The environment that both contenders start from."""
    return {**clean_environment(), contracts.HEDDLE_NODE: str(nodejs.node()), "NO_COLOR": "1"}


@dataclass(frozen=True)
class Contender:
    """A program with its arguments: in plain Node or, if `workers` is given, under heddle-node."""

    program: Path
    arguments: tuple[str, ...] = ()
    workers: int | Literal["auto"] | None = None
    extra: tuple[tuple[str, str], ...] = ()  # further variables of its environment
    reported: bool = True  # under heddle-node: with a report, which takes a little time at the end
    folder: Path | None = None  # where a program that ends by itself is started; None: the program's own folder

    @property
    def command(self) -> Sequence[str | Path]:
        words: list[str | Path] = [self.program, *self.arguments]
        if self.workers is None:
            return [nodejs.node(), *words]
        return [nodejs.heddle_node(), "--workers", str(self.workers), *words]

    def environment(self, run_file: Path) -> dict[str, str]:
        own = environment() | dict(self.extra)
        if self.workers is None:
            return own
        # One cache of transformed modules for all runs, and not the user's.
        own[contracts.HEDDLE_CACHE] = str(run_file.parent / "cache")
        return own | {contracts.HEDDLE_REPORT: str(run_file)} if self.reported else own

    def check(self, run_file: Path) -> None:
        if self.workers is not None and self.reported and not run_file.exists():
            raise BadInputError(f"heddle-node left no report of {self.program.name}", "run ./heddle doctor")

    def under_heddle(self, workers: int | Literal["auto"] = "auto") -> "Contender":
        return replace(self, workers=workers)

    def unreported(self) -> "Contender":
        return replace(self, reported=False)


@dataclass(frozen=True)
class Ended:
    """A program that ran to its end."""

    seconds: float
    out: str
    report: dict[str, Any] | None


def finish(contender: Contender, work: Path, expected: str | None = None) -> Ended:
    """Runs a program to its end. `expected`: what plain Node printed; anything else is an error and no figure."""
    run_file, name = work / "run.json", contender.program.name
    run_file.unlink(missing_ok=True)
    started = time.monotonic()
    done = subprocess.run(
        contender.command,
        env=contender.environment(run_file),
        cwd=contender.folder or contender.program.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    seconds = time.monotonic() - started
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or ["no message"]
        said = next((line for line in lines if _ERROR.match(line)), lines[-1])
        raise BadInputError(f"{name} ended with {done.returncode} ({said[:200]})", "run it by hand to see more")
    if expected is not None and done.stdout != expected:
        raise WrongAnswersError(f"{name} printed something else than under node", "nothing was measured")
    contender.check(run_file)
    return Ended(seconds, done.stdout, json.loads(run_file.read_text()) if run_file.exists() else None)
