"""A server under a load that checks every answer: one run of heddle-load, and contenders in turn."""

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from heddle.errors import BadInputError
from heddle.measure.alternation import Alternation, alternate
from heddle.measure.serving import Server, serving
from heddle.system import places


class WrongAnswersError(BadInputError):
    """An answer was missing, cut short, or not the bytes that it should have been."""


@dataclass(frozen=True)
class Load:
    urls: tuple[str, ...]  # options of heddle-load: --path or --mix
    connections: int
    seconds: float
    warmup_s: float
    probe: str | None = None  # asked for every few milliseconds, on a connection of its own
    hashes: Path | None = None  # of the answers: the first run writes them, all others must give the same
    requests: int | None = None  # if given: end after so many requests, not after `seconds`

    def options(self) -> list[str]:
        words = [*self.urls, "--connections", str(self.connections), "--warmup", str(self.warmup_s)]
        if self.requests is None:
            words += ["--duration", str(self.seconds)]
        else:
            words += ["--requests", str(self.requests)]
        if self.probe is not None:
            words += ["--probe", self.probe]
        if self.hashes is not None:
            words += ["--hashes" if self.hashes.exists() else "--save-hashes", str(self.hashes)]
        return words


@dataclass(frozen=True)
class Figures:
    """What one run showed. Times and processor times leave out the warm-up."""

    per_s: float
    p50_ms: float
    p99_ms: float
    probe_p50_ms: float
    probe_p99_ms: float
    server_cpu_s: float
    seconds: float
    requests: int
    checked_urls: int

    @property
    def server_cores(self) -> float:
        """Processors that the server kept busy."""
        return self.server_cpu_s / self.seconds

    @property
    def cpu_per_request_ms(self) -> float:
        return 1000 * self.server_cpu_s / self.requests


def run(server: Server, load: Load) -> Figures:
    """Loads a server that is up; a wrong answer is an error and no figure."""
    generator = str(places.built(places.load_generator(), "the load generator"))
    command = [generator, "--port", str(server.port), "--pid", str(server.pid), "--json", *load.options()]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if not done.stdout.strip():
        what = (done.stderr.strip().splitlines() or [f"the load generator failed with code {done.returncode}"])[-1]
        raise BadInputError(what.removeprefix("heddle-load: "), "see heddle-load --help")
    found = figures(json.loads(done.stdout))
    if found.requests == 0:
        raise BadInputError("no answer came while it was measured", "measure for longer")
    return found


def figures(said: dict[str, Any]) -> Figures:
    """From what heddle-load says with --json."""
    errors = said["errors"]
    if errors["total"]:
        kinds = ", ".join(
            f"{errors[kind]} {kind}" for kind in errors if kind not in ("total", "examples") and errors[kind]
        )
        example = f", such as: {errors['examples'][0]}" if errors["examples"] else ""
        raise WrongAnswersError(f"{errors['total']} wrong answers ({kinds}){example}", "nothing was measured")
    route = max(said["routes"], key=lambda route: route["requests"])
    probe = said["probe"] or {"p50_ms": 0.0, "p99_ms": 0.0}
    return Figures(
        per_s=said["requests_per_s"],
        p50_ms=route["p50_ms"],
        p99_ms=route["p99_ms"],
        probe_p50_ms=probe["p50_ms"],
        probe_p99_ms=probe["p99_ms"],
        server_cpu_s=said["server_cpu_s"] or 0.0,
        seconds=said["seconds"],
        requests=said["requests"],
        checked_urls=said["checked_urls"],
    )


class Contender(Protocol):
    """A server as it is started. It says `listening on ADDRESS:PORT`, and ends with 0 on SIGTERM."""

    @property
    def command(self) -> Sequence[str | Path]: ...

    def environment(self, run_file: Path) -> dict[str, str]:
        """The server's environment. It tells the runtime, if there is one, to leave its figures in `run_file`."""

    def check(self, run_file: Path) -> None:
        """Called after a run; raises an error if `run_file` shows that the server did not run as meant."""


def measure(contender: Contender, load: Load, work: Path) -> Figures:
    """One run: starts the server, loads it, stops it."""
    run_file = work / "run.json"
    run_file.unlink(missing_ok=True)
    with serving(contender.command, contender.environment(run_file)) as server:
        found = run(server, load)
    contender.check(run_file)
    return found


def compare(rounds: int, plain: Contender, other: Contender, load: Load, work: Path) -> Alternation[Figures]:
    """Measures both in turn. All answers must be those of the first run, which is one of `plain`."""
    if load.hashes is not None:
        load.hashes.unlink(missing_ok=True)
    return alternate(rounds, partial(measure, plain, load, work), partial(measure, other, load, work))
