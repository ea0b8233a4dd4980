"""A C server as a contender: on libevent as it is, or with the runtime preloaded; and how such a server is built."""

import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from heddle.analysis.analyser import run_elyze
from heddle.analysis.target import prepare
from heddle.documents import contracts
from heddle.errors import BadInputError
from heddle.measure.commands import call, clean_environment
from heddle.program.elf import Elf
from heddle.system import places


@dataclass(frozen=True)
class Program:
    """A built server and what the analyser found in it."""

    path: Path
    constraints: Path
    document: dict[str, Any]

    def verdict(self, a: str, b: str) -> str:
        index = {handler["name"]: handler["id"] for handler in self.document["handlers"]}
        wanted = {index.get(a), index.get(b)}
        for pair in self.document["pairs"]:
            if {pair["a"], pair["b"]} == wanted:
                return str(pair["verdict"])
        return "always"

    def may_overlap(self) -> bool:
        return any(pair["verdict"] != "always" for pair in self.document["pairs"])

    def all_always(self) -> "Program":
        """The same with a constraints document in which all handlers of the program conflict.

        One pair is free, of a handler that is never called: where nothing at all may overlap, the runtime runs
        serially.
        """
        pairs = [{**pair, "verdict": "always"} for pair in self.document["pairs"]]
        handlers = self.document["handlers"]
        never_called = {**handlers[0], "id": len(handlers), "name": "main"}
        pairs.append({"a": len(handlers), "b": len(handlers), "verdict": "never", "conflicts": []})
        document = {**self.document, "handlers": [*handlers, never_called], "pairs": pairs}
        file = self.constraints.with_name(f"{self.path.name}.always.json")
        file.write_text(json.dumps(document))
        return replace(self, constraints=file, document=document)


def build(folder: Path, name: str, sources: Sequence[Path], flags: Sequence[str], libs: Sequence[str]) -> Program:
    """Compiles a server with the system's compiler, and analyses the same sources."""
    folder.mkdir(parents=True, exist_ok=True)
    program, constraints = folder / name, folder / f"{name}.constraints.json"
    call(["cc", "-O2", "-g", "-Wl,--build-id", *flags, *sources, "-o", program, *libs])
    with tempfile.TemporaryDirectory() as scratch:
        target = prepare([str(source) for source in sources], flags, Path(scratch))
        target = replace(target, name=name, build_id=Elf(program).build_id() or "none")
        run_elyze(target, constraints)
    return Program(program, constraints, json.loads(constraints.read_text()))


@dataclass(frozen=True)
class Contender:
    """A server on libevent alone or, if `threads` is given, under the runtime."""

    server: Program
    arguments: tuple[str, ...] = ()
    threads: int | None = None
    trace: Path | None = None  # the file for the runtime's trace
    settings: tuple[tuple[str, str], ...] = ()  # further variables of its environment

    @property
    def command(self) -> Sequence[str | Path]:
        return [self.server.path, *self.arguments]

    def environment(self, run_file: Path) -> dict[str, str]:
        own = clean_environment() | dict(self.settings)
        if self.threads is None:
            return own
        own |= {
            "LD_PRELOAD": str(places.built(places.multivent(), "the runtime")),
            contracts.HEDDLE_THREADS: str(self.threads),
            contracts.HEDDLE_CONSTRAINTS: str(self.server.constraints),
            contracts.HEDDLE_RUN_FILE: str(run_file),
            contracts.HEDDLE_SUMMARY: "0",
        }
        return own if self.trace is None else own | {contracts.HEDDLE_TRACE: str(self.trace)}

    def check(self, run_file: Path) -> None:
        if self.threads is None or self.threads == 1 or not self.server.may_overlap():
            return
        run = json.loads(run_file.read_text())
        if run["mode"] != contracts.MODE_PARALLEL:
            why = run.get("why", "of an unknown reason")
            raise BadInputError(f"the run was {contracts.reason_serial_because(why)}", "run ./heddle doctor")
