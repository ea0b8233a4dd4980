"""How far `heddle predict` is from what happens: one thread recorded, two predicted, both measured in turn.

Three servers: imgserve, which computes; fileserver, which hands files to the kernel; and one that blocks. Each is
loaded by as many connections as keep two threads busy. The load generator runs on the same machine and takes its share,
which the prediction does not know of.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass, replace
from typing import Any

from bench import servers
from bench.imgserve import FULL, QUICK, Effort
from heddle.documents import constraints, trace
from heddle.measure.alternation import spread
from heddle.measure.benchmark import Claim, Result, Tools, needs_cores
from heddle.measure.libevent import Contender, Program
from heddle.measure.load import Load, compare, measure
from heddle.predict.outlook import Predictor
from heddle.system import machine

CLAIMS = ("multivent.predict_error",)
MEASURES = (
    "base",
    "bench/servers/sleeper.c",
    "elyze",
    "examples/fileserver",
    "examples/imgserve",
    "multivent",
    "python/heddle/predict",
    "scheduler",
    "schemas",
    "telemetry",
)
THREADS = 2


@dataclass(frozen=True)
class Case:
    name: str
    server: Program
    arguments: tuple[str, ...]
    load: Load


def cases(tools: Tools, effort: Effort) -> list[Case]:
    def load(connections: int, *urls: str) -> Load:
        return Load(urls, connections, effort.seconds, effort.warmup_s)

    pictures, thumbnails = servers.pictures(tools.work, effort.pictures)
    files, names = servers.made("fileserver/make_files.py", tools.work / "files", "--small", "200", "--large", "10")
    serving = ("-p", "0", "-l", "/dev/null", "-d")
    return [
        Case(
            "imgserve",
            servers.imgserve(tools.work),
            (*serving, str(pictures), "-c", "1"),
            load(8, "--mix", str(thumbnails)),
        ),
        Case("fileserver", servers.fileserver(tools.work), (*serving, str(files)), load(8, "--mix", str(names))),
        Case("sleeper", servers.sleeper(tools.work), (), load(16, "--path", "/")),
    ]


def predicted(tools: Tools, case: Case) -> dict[str, float]:
    """Speed with two threads against one, by simulation of a recorded run; and the error of simulating that run."""
    file = tools.work / f"{case.name}.trace"
    measure(replace(Contender(case.server, case.arguments, 1), trace=file), case.load, tools.work)
    predictor = Predictor(trace.load(file), str(file), constraints.load(case.server.constraints), machine.cores())
    return {
        "predicted": predictor.outlook([THREADS]).rates[0] / predictor.recorded,
        "error_of_recorded_run": predictor.error,
    }


def one(tools: Tools, effort: Effort, case: Case, details: dict[str, Any]) -> tuple[list[float], list[str]]:
    tools.say(f"{case.name}: recorded, then one and two threads in turn")
    forecasts = [predicted(tools, case) for _ in range(3)]
    serial, parallel = (Contender(case.server, case.arguments, threads) for threads in (1, THREADS))
    found = compare(effort.rounds, serial, parallel, case.load, tools.work)
    forecast = statistics.median(each["predicted"] for each in forecasts)
    ratios = found.ratios(lambda run: run.per_s)
    details[case.name] = {
        "predicted": forecast,
        "measured": statistics.median(ratios),
        "measured_spread": spread(ratios),
        "error_of_recorded_run": statistics.median(each["error_of_recorded_run"] for each in forecasts),
        "foreign_cpu": found.foreign.share,
    }
    return [abs(forecast / ratio - 1) for ratio in ratios], [f"{case.name}: {doubt}" for doubt in found.doubts()]


def run(quick: bool, tools: Tools) -> Result:
    effort = QUICK if quick else FULL
    tools.say("building and analysing the servers")
    measured = cases(tools, effort)
    details: dict[str, Any] = {}
    errors: dict[str, list[float]] = {}
    doubts: list[str] = []
    for case in measured:
        errors[case.name], doubt = one(tools, effort, case, details)
        doubts += doubt
    # The claim compares medians, because single rounds differ by more than the error that is looked for.
    final = {name: abs(details[name]["predicted"] / details[name]["measured"] - 1) for name in errors}
    worst = max(final, key=lambda name: final[name])
    details["table"] = [
        f"{name}: predicted {figures['predicted']:.2f}x, measured {figures['measured']:.2f}x"
        for name, figures in details.items()
    ]
    claim = Claim(
        id="multivent.predict_error",
        what=f"relative error of predicted 1->2 threads, worst of {len(measured)} servers ({worst})",
        unit="ratio",
        better="lower",
        goal=0.10,
        measured=final[worst],
        spread=spread([1 + error for error in errors[worst]]),
        runs=effort.rounds,
        doubt="; ".join(doubts + needs_cores()),
    )
    return Result(bench="predict", claims=[claim], details=details)
