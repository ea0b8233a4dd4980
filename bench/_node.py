"""Benchmarks of Node.js programs: how one is started, plainly or under heddle-node, and what it reported."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from _measure import BenchError, Tools


def servers(tools: Tools) -> Path:
    """The folder of programs that benchmarks measure, with their packages."""
    from heddle import nodejs

    folder = tools.root / "bench/servers/node"
    nodejs.install(folder)
    return folder


def examples(tools: Tools) -> Path:
    return tools.root / "examples/node"


def node() -> str:
    from heddle import nodejs

    return str(nodejs.node())


def version() -> str:
    return subprocess.run([node(), "--version"], capture_output=True, text=True, check=True).stdout.strip()


def inherited() -> dict[str, str]:
    """The environment without anything that would change how Node or heddle-node runs."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("HEDDLE", "NODE_"))}
    return {**own, "HEDDLE_NODE": node(), "NO_COLOR": "1"}


@dataclass(frozen=True)
class Contender:
    """A program and its arguments: in plain Node, or (workers given) under heddle-node."""

    program: Path
    arguments: tuple[str, ...] = ()
    workers: int | Literal["auto"] | None = None
    extra: tuple[tuple[str, str], ...] = ()  # environment
    reported: bool = True  # under heddle-node: with a report, which takes a little time at the end
    folder: Path | None = None  # where it is started, if it ends by itself; else beside the program

    @property
    def command(self) -> Sequence[str]:
        from heddle import nodejs

        words = [str(self.program), *self.arguments]
        if self.workers is None:
            return [node(), *words]
        return [str(nodejs.heddle_node()), "--workers", str(self.workers), *words]

    @property
    def name(self) -> str:
        return self.program.name

    def environment(self, tools: Tools, run_file: Path) -> dict[str, str]:
        own = {**inherited(), **dict(self.extra)}
        if self.workers is None:
            return own
        # One cache of transformed modules for all runs, and not the user's.
        cached = {**own, "HEDDLE_CACHE": str(tools.work / "cache")}
        return {**cached, "HEDDLE_REPORT": str(run_file)} if self.reported else cached

    def check(self, run_file: Path) -> None:
        if self.workers is not None and self.reported and not run_file.exists():
            raise BenchError(f"heddle-node left no report of {self.name}: was it switched off?")

    def under_heddle(self, workers: int | Literal["auto"] = "auto") -> Contender:
        return replace(self, workers=workers)

    def unreported(self) -> Contender:
        return replace(self, reported=False)


@dataclass(frozen=True)
class Ended:
    """A program that ran to its end."""

    seconds: float
    out: str
    report: dict[str, Any] | None


def finish(tools: Tools, contender: Contender, expected: str | None = None) -> Ended:
    """Runs a program to its end. `expected`: what plain Node printed; anything else is an error and no figure."""
    run_file = tools.work / "run.json"
    run_file.unlink(missing_ok=True)
    started = time.monotonic()
    done = subprocess.run(
        contender.command,
        env=contender.environment(tools, run_file),
        cwd=contender.folder or contender.program.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    seconds = time.monotonic() - started
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or ["no message"]
        said = next((line for line in lines if re.match(r"\w*Error", line)), lines[-1])
        raise BenchError(f"{contender.name} ended with {done.returncode}: {said[:200]}")
    if expected is not None and done.stdout != expected:
        raise BenchError(f"{contender.name} printed something else than under node: see bench/_node.py")
    contender.check(run_file)
    return Ended(seconds, done.stdout, json.loads(run_file.read_text()) if run_file.exists() else None)
