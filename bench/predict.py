"""How far `heddle predict` is from what happens: one thread recorded, two predicted, both measured in turn.

Three servers: imgserve, which computes; fileserver, which hands files to the kernel; and one that blocks. Each is
loaded by as many connections as keep two threads busy. The load generator runs on the same machine and takes its share,
which the prediction does not know of.
"""

from __future__ import annotations

import statistics
import subprocess
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from _http import Contender, Figures, Load, Server, build, measure
from _measure import Alternation, Claim, Result, Tools, alternate, spread
from imgserve import C11, FULL, QUICK, Effort, cores, make_pictures

CLAIMS = ("multivent.predict_error",)
THREADS = 2


@dataclass(frozen=True)
class Case:
    name: str
    server: Server
    arguments: tuple[str, ...]
    load: Load


def imgserve(tools: Tools, effort: Effort) -> Case:
    sources = sorted((tools.root / "examples/imgserve").glob("*.c"))
    server = build(tools, tools.work / "imgserve", "imgserve", sources, C11, ["-levent", "-ljpeg"])
    folder, mix = make_pictures(tools, effort.pictures)
    arguments = ("-p", "0", "-d", str(folder), "-c", "1", "-l", "/dev/null")
    return Case("imgserve", server, arguments, Load(8, effort.seconds, effort.warmup_s, ("--mix", str(mix))))


def fileserver(tools: Tools, effort: Effort) -> Case:
    sources = sorted((tools.root / "examples/fileserver").glob("*.c"))
    server = build(tools, tools.work / "fileserver", "fileserver", sources, C11, ["-levent"])
    folder, mix = tools.work / "files", tools.work / "files.txt"
    if not mix.exists():
        maker = tools.root / "examples/fileserver/make_files.py"
        command = [tools.python, maker, folder, "--mix", mix, "--small", "200", "--large", "10"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    arguments = ("-p", "0", "-d", str(folder), "-l", "/dev/null")
    return Case("fileserver", server, arguments, Load(8, effort.seconds, effort.warmup_s, ("--mix", str(mix))))


def sleeper(tools: Tools, effort: Effort) -> Case:
    source = tools.root / "bench/servers/sleeper.c"
    server = build(tools, tools.work / "sleeper", "sleeper", [source], C11, ["-levent"])
    return Case("sleeper", server, (), Load(16, effort.seconds, effort.warmup_s, ("--path", "/")))


def predicted(tools: Tools, case: Case) -> dict[str, float]:
    """Speed with two threads against one, by simulation of a recorded run; and how well that run itself is met."""
    from heddle import constraints, trace
    from heddle.predict.outlook import Predictor

    file = tools.work / f"{case.name}.trace"
    measure(tools, replace(Contender(case.server, case.arguments, 1), trace=file), case.load)
    predictor = Predictor(trace.load(file), str(file), constraints.load(case.server.constraints), cores())
    return {
        "predicted": predictor.outlook([THREADS]).rates[0] / predictor.recorded,
        "error_of_recorded_run": predictor.error,
    }


def one(tools: Tools, effort: Effort, case: Case, details: dict[str, Any]) -> tuple[list[float], list[str]]:
    tools.say(f"{case.name}: recorded, then one and two threads in turn")
    forecasts = [predicted(tools, case) for _ in range(3)]
    serial, parallel = (Contender(case.server, case.arguments, threads) for threads in (1, THREADS))
    found: Alternation[Figures] = alternate(
        effort.rounds, partial(measure, tools, serial, case.load), partial(measure, tools, parallel, case.load)
    )
    forecast = statistics.median(each["predicted"] for each in forecasts)
    ratios = found.ratios(lambda run: run.per_s)
    details[case.name] = {
        "predicted": forecast,
        "measured": statistics.median(ratios),
        "measured_spread": spread(ratios),
        "error_of_recorded_run": statistics.median(each["error_of_recorded_run"] for each in forecasts),
        "foreign_cpu": found.foreign,
    }
    return [abs(forecast / ratio - 1) for ratio in ratios], [f"{case.name}: {doubt}" for doubt in found.doubts()]


def run(quick: bool, tools: Tools) -> Result:
    effort = QUICK if quick else FULL
    tools.work.mkdir(parents=True, exist_ok=True)
    tools.say("building and analysing the servers")
    cases = [make(tools, effort) for make in (imgserve, fileserver, sleeper)]
    details: dict[str, Any] = {}
    errors: dict[str, list[float]] = {}
    doubts: list[str] = []
    for case in cases:
        errors[case.name], doubt = one(tools, effort, case, details)
        doubts += doubt
    # By the medians: single rounds differ by more than what is to be found out.
    final = {name: abs(details[name]["predicted"] / details[name]["measured"] - 1) for name in errors}
    worst = max(final, key=lambda name: final[name])
    details["table"] = [
        f"{name}: predicted {figures['predicted']:.2f}x, measured {figures['measured']:.2f}x"
        for name, figures in details.items()
    ]
    claim = Claim(
        id="multivent.predict_error",
        what=f"relative error of predicted 1->2 threads, worst of {len(cases)} servers ({worst})",
        unit="ratio",
        better="lower",
        goal=0.10,
        measured=final[worst],
        spread=spread([1 + error for error in errors[worst]]),
        runs=effort.rounds,
        doubt="; ".join(doubts if cores() >= THREADS else ["one core only: nothing can run in parallel"]),
    )
    return Result(bench="predict", claims=[claim], details=details)
