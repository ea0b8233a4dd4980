"""Finding and running the modules of bench/.

A benchmark is `bench/NAME.py` with `CLAIMS` and `run(quick, tools)`; bench/_measure.py defines both sides of that
contract. The folder is no package: its modules import each other by plain names, so it goes on the path as a whole.
"""

import ast
import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from heddle import places
from heddle.errors import BadInputError


@dataclass(frozen=True)
class Benchmark:
    name: str
    about: str
    path: Path


class Claim(Protocol):
    """A row of a result; see bench/_measure.py."""

    id: str
    what: str
    better: str
    goal: float
    measured: float
    spread: float
    runs: int
    doubt: str

    @property
    def met(self) -> bool: ...


class Result(Protocol):
    bench: str
    claims: list[Claim]
    machine: dict[str, Any]
    details: dict[str, Any]  # 'table': lines to show below the claims

    def save(self, path: Path) -> None: ...


def available() -> list[Benchmark]:
    found = []
    for path in sorted((places.root() / "bench").glob("[a-z]*.py")):
        if not path.name.startswith("test_"):
            about = ast.get_docstring(ast.parse(path.read_text())) or ""
            found.append(Benchmark(path.stem, about.partition("\n")[0], path))
    return found


def find(name: str) -> Benchmark:
    known = available()
    for benchmark in known:
        if benchmark.name == name:
            return benchmark
    names = ", ".join(benchmark.name for benchmark in known) or "none: this copy of heddle has no bench/"
    raise BadInputError(f"there is no benchmark '{name}'", f"use one of {names}")


def run(benchmark: Benchmark, quick: bool, say: Callable[[str], None]) -> Result:
    folder = str(benchmark.path.parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    measure = importlib.import_module("_measure")
    module = importlib.import_module(benchmark.name)
    work = places.root() / "build" / "bench" / benchmark.name
    tools = measure.Tools(places.root(), places.build(), work, Path(sys.executable), say)
    try:
        result: Result = module.run(quick, tools)
    except measure.BenchError as error:
        what, _, advice = str(error).rpartition(": ")
        raise BadInputError(what or str(error), advice if what else "see heddle bench --help") from None
    return result
