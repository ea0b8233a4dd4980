"""One measured load on a server, by heddle-load, and how several are put together."""

import json
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heddle import machine, places
from heddle.demo.serving import Server
from heddle.errors import BadInputError


@dataclass(frozen=True)
class Measured:
    """One run of the load. Times are milliseconds, CPU is seconds."""

    per_s: float
    p50_ms: float
    p99_ms: float
    probe_p50_ms: float
    probe_p99_ms: float
    server_cores: float  # processors that the server kept busy
    cpu_per_request_ms: float
    foreign: float  # share of all processors that went to others than server and load
    checked_urls: int


def run(server: Server, mix: Path, options: Sequence[str]) -> Measured:
    command = [str(places.built(places.load_generator(), "the load generator")), "--port", str(server.port)]
    command += ["--mix", str(mix), "--pid", str(server.pid), "--json", *options]
    busy, started = _busy_s(), time.monotonic()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    busy, elapsed = _busy_s() - busy, time.monotonic() - started
    if not done.stdout.strip():
        what = (done.stderr.strip().splitlines() or [f"the load generator failed with code {done.returncode}"])[-1]
        raise BadInputError(what.removeprefix("heddle-load: "), "see heddle-load --help")
    return measured(json.loads(done.stdout), busy, elapsed)


class WrongAnswersError(Exception):
    """An answer was missing, cut short, or not the bytes it should have been."""


def measured(document: dict[str, Any], busy_s: float, elapsed_s: float) -> Measured:
    errors = document["errors"]
    if errors["total"]:
        kinds = ", ".join(
            f"{errors[kind]} {kind}" for kind in errors if kind not in ("total", "examples") and errors[kind]
        )
        example = f", such as: {errors['examples'][0]}" if errors["examples"] else ""
        raise WrongAnswersError(f"{errors['total']} wrong answers ({kinds}){example}")
    route = max(document["routes"], key=lambda r: r["requests"])
    probe = document["probe"] or {"p50_ms": 0.0, "p99_ms": 0.0}
    server_s = document["server_cpu_s"] or 0.0
    ours = server_s + document["client_cpu_s"]
    # Server and client CPU are counted over the seconds that count, busy time over the whole call, warm-up included.
    ours_in_call = ours * elapsed_s / document["seconds"] if document["seconds"] else ours
    foreign = max(0.0, busy_s - ours_in_call) / (elapsed_s * machine.cores()) if elapsed_s else 0.0
    return Measured(
        document["requests_per_s"],
        route["p50_ms"],
        route["p99_ms"],
        probe["p50_ms"],
        probe["p99_ms"],
        server_s / document["seconds"],
        1000 * server_s / document["requests"],
        foreign,
        document["checked_urls"],
    )


def foreign(runs: Sequence[Measured]) -> float:
    """The largest share of the machine that others took during one of the runs."""
    return max(one.foreign for one in runs)


def _busy_s() -> float:
    """Processor time that the whole machine has used, in seconds (proc(5): USER_HZ is 100 on all Linux systems)."""
    words = Path("/proc/stat").read_text().split("\n", 1)[0].split()
    user, nice, system, _idle, _iowait, irq, softirq = map(int, words[1:8])
    return (user + nice + system + irq + softirq) / 100
