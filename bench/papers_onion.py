"""Circuits that a relay builds: on libevent, under heddle as it is, after one change, and with a hand-written pool.

The experiment of the 2011 paper (section 6.4) on examples/onion in place of tor. There, tor without its pool of CPU
workers was slow on libevent and "actually out-performs" the pool under multivent, after its counters of public-key
operations had become atomic; the figure has no numbers. Here all three hops of every circuit are one process, so that
it can use several cores only through threads: with a process for each relay, plain libevent would use several as well.
The client runs on the same machine and takes its share, the same for all.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from bench import servers
from bench.imgserve import threads
from heddle.errors import BadInputError
from heddle.measure.alternation import Alternation, alternate
from heddle.measure.benchmark import Claim, Result, Tools, needs_cores, ratio_claim
from heddle.measure.commands import call
from heddle.measure.libevent import Contender, build
from heddle.measure.load import WrongAnswersError
from heddle.measure.serving import serving
from heddle.system import places

CLAIMS = ("multivent.onion",)
MEASURES = ("base", "elyze", "examples/onion", "multivent", "scheduler", "schemas", "telemetry")
LIBS = ["-levent", "-lcrypto"]


@dataclass(frozen=True)
class Effort:
    rounds: int
    seconds: float
    warmup_s: float
    parallel: tuple[int, ...]  # circuits at once, for the table; the claim is measured with the last but one


FULL = Effort(rounds=7, seconds=4.0, warmup_s=1.0, parallel=(1, 2, 4, 8, 16))
QUICK = Effort(rounds=3, seconds=1.5, warmup_s=0.3, parallel=(1, 8, 16))


@dataclass(frozen=True)
class Figures:
    circuits: int
    seconds: float
    per_s: float
    p50_ms: float
    p99_ms: float


@dataclass(frozen=True)
class Relays:
    """The four contenders."""

    libevent: Contender
    unchanged: Contender
    changed: Contender
    pool: Contender
    client: Path


def build_all(tools: Tools) -> Relays:
    example = places.root() / "examples/onion"
    sources = sorted(example.glob("*.c"))
    counters = tools.work / "atomic/pk_ops.c"
    counters.parent.mkdir(exist_ok=True)
    call(["patch", "-s", "-o", counters, example / "pk_ops.c", example / "atomic-counters.patch"])
    changed = [counters, *(source for source in sources if source.name != "pk_ops.c")]
    pool = [example / "workers/workers.c", *(source for source in changed if source.name != "in_loop.c")]
    flags = [*servers.C11, "-I", str(example)]

    plain = build(tools.work / "plain", "onion", sources, flags, LIBS)
    atomic = build(tools.work / "changed", "onion", changed, flags, LIBS)
    for server, verdict in ((plain, "always"), (atomic, "session")):
        said = server.verdict("on_onionskin", "on_onionskin")
        if said != verdict:
            raise BadInputError(f"on_onionskin x on_onionskin is {said}, not {verdict}", "see heddle analyze --why")
    worked = tools.work / "onion-workers"
    call(["cc", "-O2", "-g", "-pthread", "-Wl,--build-id", *flags, *pool, "-o", worked, *LIBS])
    client = tools.work / "onion-client"
    shared = [example / name for name in ("onionskin.c", "layer.c", "cell.c", "pk_ops.c")]
    call(["cc", "-O2", "-g", *flags, *sorted(example.glob("client/*.c")), *shared, "-o", client, *LIBS])

    arguments = ("-p", "0", "-k", str(tools.work / "relay.pem"))
    return Relays(
        Contender(plain, arguments),
        Contender(plain, arguments, threads()),
        Contender(atomic, arguments, threads()),
        Contender(replace(plain, path=worked), arguments),
        client,
    )


def measure(tools: Tools, client: Path, effort: Effort, parallel: int, contender: Contender) -> Figures:
    run_file = tools.work / "run.json"
    run_file.unlink(missing_ok=True)
    os.environ["ONION_WORKERS"] = str(threads())
    with serving(contender.command, contender.environment(run_file)) as server:
        command = [
            str(client),
            "-p",
            str(server.port),
            "-c",
            str(parallel),
            "-t",
            str(effort.seconds),
            "-w",
            str(effort.warmup_s),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise WrongAnswersError(f"a circuit failed ({done.stderr.strip()})", "none should")
    contender.check(run_file)
    return Figures(**json.loads(done.stdout))


def stages(tools: Tools, relays: Relays, effort: Effort, details: dict[str, Any]) -> dict[str, Alternation[Figures]]:
    """Every contender in turn with the first, and the last two with each other."""
    parallel = effort.parallel[-2]
    take = partial(measure, tools, relays.client, effort, parallel)
    pairs = {
        "unchanged": (relays.libevent, relays.unchanged),
        "changed": (relays.libevent, relays.changed),
        "pool": (relays.libevent, relays.pool),
        "changed against pool": (relays.pool, relays.changed),
    }
    found = {}
    for name, (a, b) in pairs.items():
        tools.say(f"{parallel} circuits at once: {name}")
        found[name] = alternate(effort.rounds, partial(take, a), partial(take, b))
        details[name] = {
            "before_per_s": statistics.median(run.per_s for run in found[name].first),
            "after_per_s": statistics.median(run.per_s for run in found[name].second),
            "foreign_cpu": found[name].foreign.share,
        }
    return found


def times_table(tools: Tools, relays: Relays, effort: Effort) -> list[str]:
    """Time to build a circuit by how many are built at once, as the paper's figure 6.2; one run each."""
    lines = ["", "ms for a circuit (median)  " + "".join(f"{count:>8}" for count in effort.parallel) + "  at once"]
    short = replace(effort, seconds=effort.seconds / 2)
    for name, contender in (
        ("libevent", relays.libevent),
        ("heddle, changed", relays.changed),
        ("libevent, worker pool", relays.pool),
    ):
        runs = [measure(tools, relays.client, short, count, contender).p50_ms for count in effort.parallel]
        lines.append(f"  {name:<25}" + "".join(f"{ms:>8.1f}" for ms in runs))
    return lines


def run(quick: bool, tools: Tools) -> Result:
    effort = QUICK if quick else FULL
    tools.say("building and analysing the relays")
    relays = build_all(tools)
    details: dict[str, Any] = {"threads": threads()}
    found = stages(tools, relays, effort, details)

    def median(name: str) -> float:
        return statistics.median(found[name].ratios(lambda run: run.per_s))

    said = "paper: a figure without numbers"
    details["table"] = [
        f"{'stage':<42}{'circuits/s':>11}{'/ libevent':>12}   {said}",
        f"{'libevent, no workers':<42}{details['unchanged']['before_per_s']:>11.1f}{1:>12.2f}   degrades with load",
        f"{'heddle, unchanged':<42}{details['unchanged']['after_per_s']:>11.1f}{median('unchanged'):>12.2f}   -",
        f"{'heddle, counters atomic (one word)':<42}{details['changed']['after_per_s']:>11.1f}"
        f"{median('changed'):>12.2f}   better than the pool",
        f"{'libevent, worker pool by hand':<42}{details['pool']['after_per_s']:>11.1f}{median('pool'):>12.2f}   -",
        *times_table(tools, relays, effort),
    ]
    claims: list[Claim] = [
        ratio_claim(
            "multivent.onion",
            "circuits/s on 2 cores / libevent, after one change",
            1.8,
            found["changed"].ratios(lambda run: run.per_s),
            found["changed"].doubts() + needs_cores(),
        ),
        ratio_claim(
            "multivent.onion",
            "the same / a worker pool written by hand",
            1.0,
            found["changed against pool"].ratios(lambda run: run.per_s),
            found["changed against pool"].doubts() + needs_cores(),
        ),
    ]
    return Result(bench="papers_onion", claims=claims, details=details)
