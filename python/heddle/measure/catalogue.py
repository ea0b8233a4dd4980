"""Finding and running the benchmarks: the modules of bench/, as heddle.measure.benchmark describes them."""

import ast
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from heddle.errors import BadInputError
from heddle.measure.benchmark import Result, Tools
from heddle.system import places


@dataclass(frozen=True)
class Benchmark:
    name: str
    about: str
    path: Path

    @property
    def measures(self) -> tuple[str, ...]:
        """Files and folders, from the top of the source tree, whose change makes a saved result out of date."""
        for statement in ast.parse(self.path.read_text()).body:
            if isinstance(statement, ast.Assign) and [ast.unparse(target) for target in statement.targets] == [
                "MEASURES"
            ]:
                return tuple(ast.literal_eval(statement.value))
        return ()


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
    work = places.root() / "build" / "bench" / benchmark.name
    work.mkdir(parents=True, exist_ok=True)
    module = importlib.import_module(f"bench.{benchmark.name}")
    result: Result = module.run(quick, Tools(work, say))
    return result
