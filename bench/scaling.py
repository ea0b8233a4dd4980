"""How speed grows with the cores that a machine has, and how far `heddle predict` sees that from a run on one thread.

Five programs, each measured with 1, 2, 4 ... threads, all of a round in turn; a figure is the median over the rounds of
a run's rate divided by that of the same round's run without heddle.

  rings       two sessions per core, handlers that compute for 1 ms, no client: what the runtime itself allows
  imgserve    thumbnails, 5 ms of computing each; the load generator runs on the same machine
  onion       circuits of public-key work (examples/onion, its counters made atomic); its client likewise
  primes      the prime counter for Node.js, events of 1.5 ms, by the number of workers
  crawl       heddle-crawl on as many sites as it has workers, each site a process of its own; against one worker

Predictions are for the first two, from a trace of one thread under a load that keeps all threads busy.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from bench import _crawlers, node_primes, papers_onion, servers
from heddle.documents import constraints, trace
from heddle.measure.alternation import spread
from heddle.measure.benchmark import Claim, Result, Tools, needs_cores, ratio_claim
from heddle.measure.commands import call, clean_environment
from heddle.measure.libevent import Contender, Program
from heddle.measure.load import Load, measure
from heddle.measure.node import finish
from heddle.measure.processor import Watch
from heddle.measure.serving import serving
from heddle.output.layout import columns
from heddle.predict.outlook import Predictor
from heddle.system import machine

CLAIMS = ("scaling.per_core", "scaling.predict_error")
MEASURES = (
    "base",
    "bench/servers/rings.c",
    "bench/servers/site.c",
    "crawler",
    "elyze",
    "examples/imgserve",
    "examples/node/batch-primes",
    "examples/onion",
    "multivent",
    "node",
    "pico",
    "python/heddle/predict",
    "scheduler",
    "schemas",
    "telemetry",
)
EVENT_MS = 1
EVENT_OF_PRIMES_S = 0.0015
PAGE_BYTES, LINKS = 20_000, 60
CONNECTIONS_PER_SITE = 16


@dataclass(frozen=True)
class Effort:
    rounds: int
    seconds: float  # of a run under load, and of one of `rings` on one thread
    warmup_s: float
    pages: int  # of each site


FULL = Effort(rounds=5, seconds=3.0, warmup_s=1.0, pages=20_000)
QUICK = Effort(rounds=2, seconds=1.0, warmup_s=0.3, pages=3_000)


@dataclass(frozen=True)
class Subject:
    """A program, and how fast it is: events per second without heddle (None: with one thread), and with n threads."""

    name: str
    plain: Callable[[], float] | None
    parallel: Callable[[int], float]
    threads: Sequence[int]
    predicted: Callable[[Sequence[int]], Sequence[float]] | None = None


def thread_counts(most: int) -> list[int]:
    """1, 2, 4 ... and `most`."""
    counts = [1]
    while 2 * counts[-1] < most:
        counts.append(2 * counts[-1])
    return [*counts, most] if most > 1 else counts


def beside_a_client() -> int:
    """Threads of a server whose client has a quarter of the machine."""
    return max(1, machine.cores() * 3 // 4) if machine.cores() > 2 else machine.cores()


def predicted(server: Program, record: Callable[[Contender], object], contender: Contender) -> Predictor:
    """From one run of the contender on one thread. `record` runs it."""
    file = server.constraints.with_suffix(".trace")
    record(replace(contender, threads=1, trace=file))
    return Predictor(trace.load(file), str(file), constraints.load(server.constraints), machine.cores())


def speed_ups(predictor: Predictor, threads: Sequence[int]) -> list[float]:
    return [rate / predictor.recorded for rate in predictor.outlook(threads).rates]


def computing(tools: Tools, effort: Effort) -> Subject:
    server = servers.rings(tools.work)
    most = machine.cores()
    sessions = 2 * most
    turns = int(call([server.path, "rounds"])) * EVENT_MS
    calls = max(1, int(effort.seconds * 1000 / EVENT_MS / sessions))

    def run(contender: Contender) -> float:
        run_file = tools.work / "run.json"
        run_file.unlink(missing_ok=True)
        done = call(contender.command, environment=contender.environment(run_file))
        contender.check(run_file)
        return sessions * calls / float(done)

    plain = Contender(server, (str(sessions), str(calls), "spin", str(turns), "own"))
    return Subject(
        "rings",
        partial(run, plain),
        lambda count: run(replace(plain, threads=count)),
        thread_counts(most),
        lambda counts: speed_ups(predicted(server, run, plain), counts),
    )


def thumbnails(tools: Tools, effort: Effort) -> Subject:
    server = servers.imgserve(tools.work)
    folder, mix = servers.pictures(tools.work, 300)
    most = beside_a_client()
    load = Load(("--mix", str(mix)), 4 * most, effort.seconds, effort.warmup_s)
    plain = Contender(server, ("-p", "0", "-d", str(folder), "-c", "1", "-l", "/dev/null"))

    def run(contender: Contender) -> float:
        return measure(contender, load, tools.work).per_s

    return Subject(
        "imgserve",
        partial(run, plain),
        lambda count: run(replace(plain, threads=count)),
        thread_counts(most),
        lambda counts: speed_ups(predicted(server, run, plain), counts),
    )


def circuits(tools: Tools, effort: Effort) -> Subject:
    relays = papers_onion.build_all(tools)
    most = beside_a_client()
    work = replace(papers_onion.FULL, seconds=effort.seconds, warmup_s=effort.warmup_s)

    def run(contender: Contender) -> float:
        return papers_onion.measure(tools, relays.client, work, 4 * most, contender).per_s

    return Subject(
        "onion",
        partial(run, relays.libevent),
        lambda count: run(replace(relays.changed, threads=count)),
        thread_counts(most),
    )


def primes(tools: Tools) -> Subject:
    program = node_primes.primes(node_primes.batch_for(tools, EVENT_OF_PRIMES_S))
    expected = f"{node_primes.PRIMES} primes.\n"
    return Subject(
        "primes",
        lambda: 1 / finish(program, tools.work, expected).seconds,
        lambda count: 1 / finish(program.under_heddle(count), tools.work, expected).seconds,
        thread_counts(max(1, machine.cores() - 1)),
    )


def crawl(tools: Tools, effort: Effort) -> Subject:
    server = servers.site(tools.work)
    most = max(1, machine.cores() // 2)
    options = [str(number) for number in (PAGE_BYTES, LINKS, effort.pages)]

    def run(workers: int) -> float:
        """All sites whatever the number of workers, so that the work is the same."""
        with ExitStack() as stack:
            sites = [stack.enter_context(serving([server, *options])) for _ in range(most)]
            tasks = [_crawlers.Task(site.port, most * CONNECTIONS_PER_SITE, effort.pages, tools.work) for site in sites]
            command = [*_crawlers.bare().command(tasks[0]), *(task.url for task in tasks[1:])]
            started = time.monotonic()
            call([*command, "--workers", str(workers)], environment=clean_environment())
            return most * effort.pages / (time.monotonic() - started)

    return Subject("crawl", None, run, thread_counts(most))


@dataclass(frozen=True)
class Curve:
    """A program's speed by threads, as ratios to its speed without heddle; one row for each round."""

    subject: Subject
    per_s: float  # without heddle, or with one thread
    ratios: dict[int, list[float]]
    predicted: dict[int, float]  # speed-up over one thread
    doubts: list[str]

    def over_one_thread(self, threads: int) -> list[float]:
        return [many / one for many, one in zip(self.ratios[threads], self.ratios[1], strict=True)]

    def errors(self, threads: int) -> list[float]:
        return [abs(self.predicted[threads] / each - 1) for each in self.over_one_thread(threads)]

    def error(self, threads: int) -> float:
        return abs(self.predicted[threads] / statistics.median(self.over_one_thread(threads)) - 1)


def follow(tools: Tools, effort: Effort, subject: Subject) -> Curve:
    """Every other round goes through the threads backwards."""
    counts = list(subject.threads)
    forecast: dict[int, float] = {}
    if subject.predicted is not None:
        tools.say(f"{subject.name}: recorded on one thread")
        forecast = dict(zip(counts, subject.predicted(counts), strict=True))
    ratios: dict[int, list[float]] = {count: [] for count in counts}
    base: list[float] = []
    watch = Watch()
    for number in range(effort.rounds):
        tools.say(f"{subject.name}: round {number + 1} of {effort.rounds}")
        rates: dict[int, float] = {}
        if subject.plain is not None and number % 2 == 0:
            rates[0] = subject.plain()
        for count in counts if number % 2 == 0 else reversed(counts):
            rates[count] = subject.parallel(count)
        if subject.plain is not None and number % 2 == 1:
            rates[0] = subject.plain()
        base.append(rates[0] if subject.plain is not None else rates[1])
        for count in counts:
            ratios[count].append(rates[count] / base[-1])
    return Curve(subject, statistics.median(base), ratios, forecast, watch.foreign.doubts())


def table(curves: Sequence[Curve]) -> list[str]:
    rows = [("", "threads", "speed-up", "spread", "per thread", "predicted / 1 thread")]
    for curve in curves:
        for count, ratios in curve.ratios.items():
            speed = statistics.median(ratios)
            forecast = f"{curve.predicted[count]:.2f}" if count in curve.predicted else "-"
            name = curve.subject.name if count == 1 else ""
            row = (name, str(count), f"{speed:.2f}", f"{100 * spread(ratios):.0f} %", f"{speed / count:.2f}", forecast)
            rows.append(row)
    return [line.rstrip() for line in columns(rows, "  ")]


def claims_of(curves: dict[str, Curve]) -> list[Claim]:
    rings = curves["rings"]
    most = max(rings.ratios)
    claims = [
        ratio_claim(
            "scaling.per_core",
            f"1 ms CPU handlers on {most} cores, speed-up over libevent / cores",
            0.90,
            [ratio / most for ratio in rings.ratios[most]],
            rings.doubts + needs_cores(),
        )
    ]
    known = [(curve, count) for curve in curves.values() for count in curve.predicted if count > 1]
    if known:
        curve, count = max(known, key=lambda each: each[0].error(each[1]))
        errors = curve.errors(count)
        where = f"{curve.subject.name}, {count} threads"
        claims.append(
            Claim(
                "scaling.predict_error",
                f"relative error of predicted 1->N threads, worst of 2 programs ({where})",
                "ratio",
                "lower",
                0.10,
                curve.error(count),
                spread([1 + error for error in errors]),
                len(errors),
                "; ".join(curve.doubts),
            )
        )
    return claims


def run(quick: bool, tools: Tools) -> Result:
    effort = QUICK if quick else FULL
    tools.say("building and analysing")
    subjects = [
        computing(tools, effort),
        thumbnails(tools, effort),
        circuits(tools, effort),
        primes(tools),
        crawl(tools, effort),
    ]
    curves = {subject.name: follow(tools, effort, subject) for subject in subjects}
    details: dict[str, Any] = {
        name: {
            "per_s": curve.per_s,
            "ratios": curve.ratios,
            "predicted_over_one_thread": curve.predicted,
        }
        for name, curve in curves.items()
    }
    details["table"] = ["", *table(list(curves.values()))]
    return Result(bench="scaling", claims=claims_of(curves), details=json.loads(json.dumps(details)))
