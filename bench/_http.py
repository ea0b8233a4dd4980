"""Benchmarks of HTTP servers: builds them, finds their constraints, runs them as either contender under heddle-load."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from _measure import BenchError, Tools

BITCODE = ["-g", "-O0", "-Xclang", "-disable-O0-optnone", "-emit-llvm", "-c"]
STOP_S = 30


def call(command: Sequence[str | Path], cwd: Path | None = None) -> str:
    """What it says on standard output; its last line of complaint as a BenchError."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).strip().splitlines() or ["no message"]
        raise BenchError(f"{Path(command[0]).name} failed: {lines[-1]}")
    return done.stdout


def build_id(program: Path) -> str:
    for line in call(["readelf", "-n", program]).splitlines():
        if "Build ID:" in line:
            return line.split()[-1]
    raise BenchError(f"{program} has no build id: link it with -Wl,--build-id")


@dataclass(frozen=True)
class Server:
    program: Path
    constraints: Path
    document: dict[str, Any]

    def verdict(self, a: str, b: str) -> str:
        index = {handler["name"]: handler["id"] for handler in self.document["handlers"]}
        wanted = {index.get(a), index.get(b)}
        for pair in self.document["pairs"]:
            if {pair["a"], pair["b"]} == wanted:
                return str(pair["verdict"])
        return "always"


def build(
    tools: Tools,
    folder: Path,
    name: str,
    sources: Sequence[Path],
    flags: Sequence[str],
    libs: Sequence[str],
) -> Server:
    """Compiles a server with the system's compiler, and analyses the same sources."""
    tools.need(tools.elyze)
    folder.mkdir(parents=True, exist_ok=True)
    program, constraints = folder / name, folder / f"{name}.constraints.json"
    call(["cc", "-O2", "-g", "-Wl,--build-id", *flags, *sources, "-o", program, *libs])
    bitcode = []
    for source in sources:
        bitcode.append(folder / f"{source.stem}.bc")
        call(["clang-19", *BITCODE, *flags, source, "-o", bitcode[-1]])
    naming = ["--program", name, "--build-id", build_id(program)]
    call([tools.elyze, *bitcode, *naming, "--specs", tools.root / "elyze/specs", "-o", constraints])
    return Server(program, constraints, json.loads(constraints.read_text()))


def all_always(server: Server) -> Server:
    """The same server with a constraints document in which every pair conflicts.

    But for one of a handler that is never called: where nothing at all may overlap, the runtime runs serially.
    """
    pairs = [{**pair, "verdict": "always"} for pair in server.document["pairs"]]
    handlers = server.document["handlers"]
    never_called = {**handlers[0], "id": len(handlers), "name": "main"}
    pairs.append({"a": len(handlers), "b": len(handlers), "verdict": "never", "conflicts": []})
    document = {**server.document, "handlers": [*handlers, never_called], "pairs": pairs}
    path = server.constraints.with_name(f"{server.program.name}.always.json")
    path.write_text(json.dumps(document))
    return Server(server.program, path, document)


class Startable(Protocol):
    """A server as it is started. It says `listening on ADDRESS:PORT`, and ends with 0 on SIGTERM."""

    @property
    def command(self) -> Sequence[str | Path]: ...

    @property
    def name(self) -> str: ...

    def environment(self, tools: Tools, run_file: Path) -> dict[str, str]: ...

    def check(self, run_file: Path) -> None:
        """After a run: a BenchError if it was not the run that it should have been."""


@dataclass(frozen=True)
class Contender:
    """A C server: alone on libevent, or (threads given) preloaded with the runtime."""

    server: Server
    arguments: tuple[str, ...]
    threads: int | None = None
    trace: Path | None = None  # recorded there

    @property
    def command(self) -> Sequence[str | Path]:
        return [self.server.program, *self.arguments]

    @property
    def name(self) -> str:
        return self.server.program.name

    def check(self, run_file: Path) -> None:
        if self.threads is not None and self.threads > 1:
            check_parallel(run_file)

    def environment(self, tools: Tools, run_file: Path) -> dict[str, str]:
        inherited = {
            name: value for name, value in os.environ.items() if not name.startswith(("HEDDLE_", "LD_PRELOAD"))
        }
        if self.threads is None:
            return inherited
        tools.need(tools.multivent)
        return {
            **inherited,
            "LD_PRELOAD": str(tools.multivent),
            "HEDDLE_THREADS": str(self.threads),
            "HEDDLE_CONSTRAINTS": str(self.server.constraints),
            "HEDDLE_RUN_FILE": str(run_file),
            "HEDDLE_SUMMARY": "0",
            **({"HEDDLE_TRACE": str(self.trace)} if self.trace is not None else {}),
        }


@dataclass(frozen=True)
class Load:
    connections: int
    seconds: float
    warmup_s: float
    urls: tuple[str, ...]  # options of heddle-load: --path or --mix
    probe: str | None = None
    hashes: Path | None = None  # made by the first run, kept to by the others
    requests: int | None = None  # so many, however long that takes, instead of the seconds


@dataclass(frozen=True)
class Figures:
    per_s: float
    p50_ms: float
    p99_ms: float
    probe_p50_ms: float
    probe_p99_ms: float
    server_cpu_s: float
    seconds: float


@contextlib.contextmanager
def running(tools: Tools, contender: Startable, run_file: Path) -> Iterator[tuple[int, int]]:
    """Port and process id of the started server; it is stopped, and must end well."""
    process = subprocess.Popen(
        contender.command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=contender.environment(tools, run_file),
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line.startswith("listening on "):
            raise BenchError(f"{contender.name} did not start: {process.communicate()[1].strip()}")
        yield int(line.rsplit(":", 1)[1]), process.pid
        process.terminate()
        errors = process.communicate(timeout=STOP_S)[1].strip()
        if process.returncode != 0:
            raise BenchError(f"{contender.name} ended with {process.returncode}: {errors}")
    except subprocess.TimeoutExpired as error:
        raise BenchError(f"{contender.name} does not stop") from error
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def may_overlap(server: Server) -> bool:
    return any(pair["verdict"] != "always" for pair in server.document["pairs"])


def check_parallel(run_file: Path) -> None:
    run = json.loads(run_file.read_text())
    if run["mode"] != "parallel":
        raise BenchError(f"the run was serial, because {run.get('why', 'of an unknown reason')}")


def measure(tools: Tools, contender: Startable, load: Load) -> Figures:
    """One run: starts the server, loads it, stops it. A wrong answer, or a run that was not what it should be, is an
    error and no figure."""
    tools.need(tools.load)
    run_file = tools.work / "run.json"
    run_file.unlink(missing_ok=True)
    options: list[str | Path] = ["--connections", str(load.connections), "--warmup", str(load.warmup_s), *load.urls]
    if load.requests is None:
        options += ["--duration", str(load.seconds)]
    else:
        options += ["--requests", str(load.requests)]
    if load.probe is not None:
        options += ["--probe", load.probe]
    if load.hashes is not None:
        options += ["--hashes" if load.hashes.exists() else "--save-hashes", load.hashes]
    with running(tools, contender, run_file) as (port, pid):
        command = [tools.load, "--port", str(port), "--pid", str(pid), "--json", *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 2:
        raise BenchError(done.stderr.strip())
    said = json.loads(done.stdout)
    if said["errors"]["total"] > 0:
        raise BenchError(f"{said['errors']['total']} wrong answers, such as {said['errors']['examples'][0]}")
    contender.check(run_file)
    route, probe = said["routes"][0], said["probe"] or {"p50_ms": 0.0, "p99_ms": 0.0}
    return Figures(
        per_s=said["requests_per_s"],
        p50_ms=route["p50_ms"],
        p99_ms=route["p99_ms"],
        probe_p50_ms=probe["p50_ms"],
        probe_p99_ms=probe["p99_ms"],
        server_cpu_s=said["server_cpu_s"],
        seconds=said["seconds"],
    )
