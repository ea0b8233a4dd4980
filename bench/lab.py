"""Threadlab: one workload under every model, what the harness costs, and predictions against measurement.

The page-load experiment of the 2007 paper on five made-up sites behind nginx with 30 ms of latency: pool and polling
cooperative against threads that each load one page in order, the paper's "threaded serial". The numbers of connections
are what each model has by nature; with the same number for all, which the saved details have as well, orders change.

Predictions are made from runs with one worker and checked by runs with two: primes where processors limit, page-load
where latency does. What the harness adds to a scenario is the record: each part reads two clocks twice, and one of them
is a system call. Their cost is measured here, and counted once for each part; what a model does outside of commands, to
choose who runs and to wait, is what models are compared by, and is in the saved details.
"""

from __future__ import annotations

import ctypes
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from heddle.lab import measuring, patterns
from heddle.lab.prediction import outlook
from heddle.lab.scenarios import catalogue, downloads
from heddle.lab.scenarios.stage import Options, Shipped
from heddle.lab.trial import Series, Trial
from heddle.measure.benchmark import Claim, Result, Tools, needs_cores, ratio_claim
from heddle.output.layout import columns
from heddle.system import machine

CLAIMS = ("lab.pool8", "lab.coop", "lab.harness_cost", "lab.predict_cpu", "lab.predict_latency")
MEASURES = ("base", "pico", "python/heddle/lab", "python/heddle/predict/processors.py", "scheduler", "threadlab")
SERIAL, COOPERATIVE, BUSY, POOL = "threads", "cooperative", "cooperative:busy", "pool:8"
_READINGS = 50_000
MODELS = (SERIAL, COOPERATIVE, "cooperative:per-group", BUSY, POOL, "pool:10", "pico:1", "constrained:2", "composed:4")


@dataclass(frozen=True)
class Effort:
    rounds: int
    scale: float  # of page-load
    pools: Sequence[int]
    files: Sequence[int]
    threads: Sequence[int]
    operations: int


FULL = Effort(7, 1.0, tuple(range(1, 11)), (1, 2, 4, 8), tuple(range(1, 11)), 10_000_000)
QUICK = Effort(3, 0.2, (1, 2, 4, 8), (1, 4), (1, 2), 1_000_000)


def run(quick: bool, tools: Tools) -> Result:
    effort = QUICK if quick else FULL
    options = Options(tools.work, scale=effort.scale)
    page_load = catalogue.find("page-load")
    natural = _trial(page_load, options, MODELS, effort.rounds, tools)
    equal = _trial(page_load, options, MODELS, effort.rounds, tools, "8")
    pools = [f"pool:{workers}" for workers in effort.pools]
    sweep = _trial(page_load, options, pools, effort.rounds, tools)
    primes = _trial(catalogue.find("primes"), Options(tools.work), ("pool:1", "pool:2"), effort.rounds, tools)
    claims = [
        _against("lab.pool8", "page-load, pool 8 / serial, wall", 0.80, natural, POOL),
        _against("lab.coop", "page-load, polling cooperative / serial, wall", 0.45, natural, COOPERATIVE),
        _harness(natural),
        _prediction("lab.predict_cpu", "primes, 1 to 2 workers", 0.15, primes),
        _prediction("lab.predict_latency", "page-load, 1 to 2 workers", 0.05, sweep),
    ]
    details = {
        "page_load": _medians(natural),
        "page_load_equal": _medians(equal),
        "sweep": _medians(sweep),
        "downloads": {str(count): _downloads(count, options, effort.rounds, tools) for count in effort.files},
        "patterns": _patterns(effort, tools),
        "table": _table(natural, equal),
    }
    return Result("lab", claims, details=details)


def _trial(
    shipped: Shipped,
    options: Options,
    models: Sequence[str],
    rounds: int,
    tools: Tools,
    connections: str = "natural",
) -> Trial:
    def say(model: str, done: int, of: int) -> None:
        tools.say(f"{shipped.name}, {connections} connections, {model}: {done + 1} of {of}")

    with shipped.open(options) as stage:
        return measuring.measure(stage, measuring.models_of(models, connections), rounds, say)


def _series(trial: Trial, model: str) -> Series:
    """Of a model, with whatever number of connections."""
    return trial.series()[list(trial.models).index(next(m for m in trial.models if m.split("@")[0] == model))]


def _doubts(*found: Series) -> list[str]:
    worst = max(series.foreign for series in found)
    doubts = [f"other programs took up to {worst:.0%} of the machine"] if any(s.doubtful for s in found) else []
    return [*doubts, *needs_cores()]


def _against(identity: str, what: str, goal: float, trial: Trial, model: str) -> Claim:
    serial, other = _series(trial, SERIAL), _series(trial, model)
    ratios = [ours / theirs for ours, theirs in zip(other.seconds, serial.seconds, strict=True)]
    return ratio_claim(identity, what, goal, ratios, _doubts(serial, other), "lower")


def _harness(trial: Trial) -> Claim:
    """Of the models that sleep when there is nothing to do, the dearest."""
    cost = 2 * (_reading_s(time.CLOCK_THREAD_CPUTIME_ID) + _reading_s(time.CLOCK_MONOTONIC))
    shares = {
        series.model: [
            cost * sum(len(command.parts) for command in one.commands) / one.cpu_seconds for one in series.runs
        ]
        for series in trial.series()
        if "busy" not in series.model
    }
    dearest = max(shares, key=lambda model: statistics.median(shares[model]))
    what = f"page-load, {dearest}: clocks read for the record, of all processor time"
    return ratio_claim("lab.harness_cost", what, 0.01, shares[dearest], _doubts(*trial.series()), "lower")


def _reading_s(clock: int) -> float:
    """Processor time of one reading, less what it costs to call the function from here."""
    read = ctypes.CDLL(None).clock_gettime
    times = (ctypes.c_long * 2)()
    coarse = 6  # CLOCK_MONOTONIC_COARSE: a few loads

    def per_call(which: int) -> float:
        begin = time.thread_time()
        for _ in range(_READINGS):
            read(which, times)
        return (time.thread_time() - begin) / _READINGS

    pairs = [(per_call(clock), per_call(coarse)) for _ in range(5)]
    return max(0.0, statistics.median(cost - least for cost, least in pairs))


def _outside(series: Series) -> float:
    """The share of processor time that no part of a command accounts for."""
    shares = []
    for one in series.runs:
        own = sum(part.cpu for command in one.commands for part in command.parts)
        shares.append(max(0.0, 1 - own / one.cpu_seconds))
    return statistics.median(shares)


def _prediction(identity: str, what: str, goal: float, trial: Trial) -> Claim:
    """The error of each prediction from a run with one worker, against the median of those with two."""
    one, two = _series(trial, "pool:1"), _series(trial, "pool:2")
    cores = machine.cores()
    errors = []
    for recorded in one.runs:
        # A busy machine is a doubt of the claim, not the end of the benchmark.
        quiet = replace(recorded, foreign_cpu=0.0)
        predicted = outlook.predict(quiet, [cores], workers=2).points[0].seconds
        errors.append(abs(predicted / two.median - 1))
    what = f"{what}: error of the prediction"
    return ratio_claim(identity, what, goal, errors, _doubts(one, two), "lower")


def _medians(trial: Trial) -> dict[str, dict[str, Any]]:
    serial = trial.series()[0].median
    return {
        series.model.split("@")[0]: {
            "seconds": series.median,
            "between": list(series.interval),
            "to_first": series.median / serial,
            "cpu_seconds": series.cpu_seconds,
            "outside_of_commands": _outside(series),
            "foreign": series.foreign,
            "counts": series.counts,
        }
        for series in trial.series()
    }


def _downloads(count: int, options: Options, rounds: int, tools: Tools) -> dict[str, float]:
    """Processor time in percent of the time that the downloads took, by model (figure 7.13)."""
    with downloads.stage(options, count) as stage:
        tools.say(f"downloads of {count} files")
        trial = measuring.measure(stage, measuring.models_of((SERIAL, COOPERATIVE, BUSY), "natural"), min(rounds, 3))
    return {
        series.model: 100 * statistics.median(one.cpu_seconds / one.seconds for one in series.runs)
        for series in trial.series()
    }


def _patterns(effort: Effort, tools: Tools) -> dict[str, Any]:
    def say(pattern: str, done: int, of: int) -> None:
        tools.say(f"patterns, {pattern}: {done + 1} of {of}")

    return patterns.measure(effort.threads, effort.rounds, effort.operations, say).data()


def _table(natural: Trial, equal: Trial) -> list[str]:
    rows = [["page-load", "natural, s", "/ serial", "CPU s", "8 connections, s", "/ serial", "CPU s"]]
    same = {series.model.split("@")[0]: series for series in equal.series()}
    first, first_same = natural.series()[0].median, equal.series()[0].median
    for series in natural.series():
        other = same[series.model]
        rows.append(
            [
                series.model,
                *(f"{series.median:.2f}", f"{series.median / first:.2f}", f"{series.cpu_seconds:.2f}"),
                *(f"{other.median:.2f}", f"{other.median / first_same:.2f}", f"{other.cpu_seconds:.2f}"),
            ]
        )
    return columns([[row[0], *(cell.rjust(9) for cell in row[1:])] for row in rows], "  ")
